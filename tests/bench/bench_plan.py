#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""bench_plan.py --bin DIR [--limit SECONDS] [STEPS...]: hplan show of plans with many steps in every form, as a Markdown table.

The plans are made of hbal's for a shipped snapshot. Without STEPS 10000 are taken. There is nothing to compare with; --reference is
accepted and not used.
"""
import pathlib
import subprocess
import sys
import tempfile

import measured

HERE = pathlib.Path(__file__).resolve().parent
SNAPSHOT = HERE.parents[1] / "data" / "ganeti" / "two-tiers.data"
FORMS = ["text", "json", "shell", "markdown", "html"]


def main():
    parser = measured.parser(__doc__, 60)
    parser.add_argument("steps", nargs="*")
    args = parser.parse_args()
    tools = pathlib.Path(args.bin)
    print("| steps | form | CPU s | peak MiB | MB written |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        small, large = pathlib.Path(name) / "small.json", pathlib.Path(name) / "large.json"
        small.write_bytes(measured.run([tools / "hbal", "-t", SNAPSHOT, "--json"]).output)
        for steps in args.steps or ["10000"]:
            with open(large, "wb") as out:
                subprocess.run([sys.executable, HERE / "make_plan.py", small, steps], stdout=out, check=True)
            for form in FORMS:
                result = measured.run([tools / "hplan", "show", f"--{form}", large], args.limit)
                figures = f"{result.cpu:.2f} | {result.mib:.0f} | {len(result.output) / 1e6:.1f}" if result else "- | - | -"
                print(f"| {steps} | {form} | {figures} |", flush=True)


if __name__ == "__main__":
    main()

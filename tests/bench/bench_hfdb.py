#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""bench_hfdb.py --bin DIR [--limit SECONDS] [ROW...]: hfdb plan --set storageServersPerPod=2 on generated clusters, as a Markdown table.

A row is GROUPSxZONES: 2000x50; with :one behind it the groups are replaced one at a time, with :json the plan is printed as JSON and its size told. The
row junk is one line of 50 MB that is no YAML. Without rows a fixed list runs. Options of the other benchmarks are accepted and not used.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import measured

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = ["50x50", "200x50", "2000x50", "2000x2000", "5000x500", "10000x50", "2000x50:one", "2000x2000:json", "junk"]
JUNK_BYTES = 50_000_000


def parse_row(row):
    match = re.fullmatch(r"(\d+)x(\d+)(?::(one|json))?", row)
    if not match:
        sys.exit(f"bench: row {row!r}: GROUPSxZONES[:one|:json] or junk expected")
    return match[1], match[2], match[3] or ""


def measure_junk(args, folder):
    """Refusing it counts: the exit status is that of bad input."""
    path = os.path.join(folder, "junk.yaml")
    with open(path, "w") as file:
        file.write("x" * JUNK_BYTES)
    return measured.run([os.path.join(args.bin, "hfdb"), "plan", "--current", path], args.limit, accepted=(1,))


def measure_plan(args, folder, row):
    groups, zones, kind = parse_row(row)
    subprocess.run([sys.executable, os.path.join(HERE, "make_fdb.py"), folder, groups, zones], check=True)
    files = [os.path.join(folder, name) for name in ("cluster.yaml", "pods.json", "status.json")]
    words = ["plan", "--current", files[0], "--kube", files[1], "--status", files[2], "--set", "storageServersPerPod=2"]
    if kind == "one":
        words += ["--set", "automationOptions.maxConcurrentReplacements=1", "--max-passes", "1000000"]
    return measured.run([os.path.join(args.bin, "hfdb"), *words, "--format", "json" if kind == "json" else "brief"], args.limit)


def main():
    parser = measured.parser(__doc__, 600)
    parser.add_argument("rows", nargs="*")
    args = parser.parse_args()
    print("| row | CPU s | peak MiB | steps | output MB |")
    print("|" + "---|" * 5)
    folder = tempfile.mkdtemp(prefix="ballast-bench-")
    try:
        for row in args.rows or ROWS:
            result = measure_junk(args, folder) if row == "junk" else measure_plan(args, folder, row)
            is_brief = row != "junk" and not row.endswith(":json")
            steps = str(result.output.count(b"\n")) if result and is_brief else "-"
            figures = [f"{result.cpu:.2f}", f"{result.mib:.0f}", steps, f"{len(result.output) / 1e6:.1f}"] if result else ["-"] * 4
            print("| " + " | ".join([row] + figures) + " |", flush=True)
    finally:
        shutil.rmtree(folder)


main()

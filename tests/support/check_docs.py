#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Every example in README.md and docs/*.md is run: in a fenced block marked `console`, a line `$ COMMAND` is executed in the project's
folder (the tools on PATH; `scripts/run TOOL` is taken as TOOL) and the lines after it must be its output (standard error included where the
command says 2>&1). A line `...` stands for any number of lines. A block marked `console no-run` shows a live system and is not run.
Usage: check_docs.py --bin DIR
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(.*)$")


def examples(path):
    """(line number, command, expected lines) of each example."""
    command, expected, inside = None, [], False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        fence = FENCE.match(line)
        if fence:
            if command:
                yield command[0], command[1], expected
            command, expected = None, []
            inside = not inside and fence.group(1).strip() == "console"
        elif inside and line.startswith("$ "):
            if command:
                yield command[0], command[1], expected
            command, expected = (number, line[2:]), []
        elif inside and command:
            expected.append(line)


def matches(expected, got):
    """Greedy from the left is enough: each `...` takes as few lines as possible, the last as many as are left."""
    if "..." not in expected:
        return expected == got
    first = expected.index("...")
    if expected[:first] != got[:first]:
        return False
    rest = expected[first + 1:]
    return any(matches(rest, got[i:]) for i in range(first, len(got) + 1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=lambda p: str(pathlib.Path(p).resolve()), required=True)
    args = parser.parse_args()
    env = dict(os.environ, PATH=f"{args.bin}:{os.environ['PATH']}", LC_ALL="C.UTF-8")
    env.pop("HTOOLS", None)
    count = failed = 0
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for number, command, expected in examples(path):
            count += 1
            done = subprocess.run(["bash", "-c", command.replace("scripts/run ", "")], cwd=ROOT, env=env, timeout=120,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
            got = [line.rstrip() for line in done.stdout.splitlines()]
            if not matches([line.rstrip() for line in expected], got):
                failed += 1
                print(f"--- {path.relative_to(ROOT)}:{number}: $ {command}\n" + "\n".join(got[:80]) + f"\n{done.stderr[-2000:]}")
    print(f"{count - failed} passed, {failed} failed")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())

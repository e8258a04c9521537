#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The examples of the manual pages. In a literal display, `$ COMMAND` is run in the project's folder with the tools on PATH, and the lines
after it must be what it prints (standard output and standard error). The literal display of ballast-text.5 is a snapshot: hbal must load it.
Usage: check_man.py --bin DIR
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def displays(page):
    """Lines of each literal display, with roff's escapes resolved."""
    lines = None
    for line in page.read_text().splitlines():
        if line.startswith(".Bd -literal"):
            lines = []
        elif line == ".Ed" and lines is not None:
            yield lines
            lines = None
        elif lines is not None:
            lines.append(line.replace("\\&", "").replace("\\e", "\\"))


def run(command, env):
    done = subprocess.run(command, shell=True, cwd=ROOT, env=env, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout.splitlines()


def check_commands(page, lines, env):
    """(number of commands, what is wrong)"""
    starts = [i for i, line in enumerate(lines) if line.startswith("$ ")]
    wrong = []
    for start, end in zip(starts, starts[1:] + [len(lines)]):
        expected = lines[start + 1:end]
        got = run(lines[start][2:], env)
        if got != expected:
            wrong.append(f"{page.name}: {lines[start]}\n  expected {expected}\n  got      {got}")
    return len(starts), wrong


def check_snapshot(page, lines, env):
    with tempfile.NamedTemporaryFile("w", suffix=".data") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        got = run(f"hbal -t {file.name} -l0", env)
    return [] if got[:1] == ["Loaded 2 nodes, 1 instances"] else [f"{page.name}: the example does not load: {got[:3]}"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    env = dict(os.environ, LC_ALL="C.UTF-8")
    env["PATH"] = os.path.abspath(parser.parse_args().bin) + os.pathsep + env["PATH"]
    env.pop("HTOOLS", None)
    count, wrong = 0, []
    for page in sorted((ROOT / "man").iterdir()):
        for lines in displays(page):
            if page.name == "ballast-text.5":
                wrong += check_snapshot(page, lines, env)
                continue
            commands, faults = check_commands(page, lines, env)
            count += commands
            wrong += faults
    print("\n".join(wrong) if wrong else f"{count} examples as shown")
    return 1 if wrong or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

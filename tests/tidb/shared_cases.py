#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs htidb on the sample cases of the shared data in place (BALLAST_SHARED, default ../shared); 77 without them."""
import argparse
import difflib
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(tool, arguments, folder):
    return subprocess.run([tool, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def planned(tool, samples):
    expected = samples / "expected"
    for case in json.loads((expected / "cases.json").read_text()):
        done = run(tool, ["plan", *case["args"], "--format", "brief"], samples)
        wanted = (expected / case["expect"]).read_text()
        if done.returncode != case["exit"] or done.stdout != wanted:
            diff = "".join(difflib.unified_diff(wanted.splitlines(True), done.stdout.splitlines(True), "expected", "got"))
            yield f"case {case['id']}: exit {done.returncode}, expected {case['exit']}\n{diff}{done.stderr}"
        if run(tool, ["plan", *case["args"], "--format", "brief"], samples).stdout != done.stdout:
            yield f"case {case['id']}: two runs differ"


def refused(tool, samples):
    wanted = {}
    for line in (samples / "expected" / "invalid.tsv").read_text().splitlines():
        name, code, path = line.split("\t")
        wanted.setdefault(name, []).append((code, path))
    for name, errors in wanted.items():
        done = run(tool, ["plan", "--desired", f"invalid/{name}"], samples)
        got = []
        for line in done.stderr.splitlines():
            words = line.split(" ")
            got.append((words[2], words[3].removesuffix(":")))
        if done.returncode != 1 or done.stdout or got != errors:
            yield f"invalid {name}: exit {done.returncode}, expected {errors}, got\n{done.stderr}{done.stdout}"


def handed(tool, cases):
    for folder in sorted(cases.glob("*-tidb-*")):
        for line in (folder / "EXPECT.md").read_text().splitlines():
            if not line.startswith("cmd: `htidb"):
                continue
            command, rest = line.removeprefix("cmd: `").split("` exit: ")
            done = run(tool, command.split()[1:], folder)
            if done.returncode != int(rest.split()[0]):
                yield f"{folder.name}: {command}: exit {done.returncode}, expected {rest}\n{done.stdout}{done.stderr}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    arguments = parser.parse_args()
    shared = pathlib.Path(os.environ.get("BALLAST_SHARED", ROOT.parent / "shared"))
    samples = shared / "samples" / "tidb"
    if not samples.is_dir():
        print("no shared samples")
        return 77
    tool = str(pathlib.Path(arguments.bin).resolve() / "htidb")
    problems = [*planned(tool, samples), *refused(tool, samples), *handed(tool, shared / "cases")]
    print("\n".join(problems) or "all sample cases as expected")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Holds the manual pages against the programs.

Every page passes mandoc's lint. A page man/TOOL.1 names exactly the options that `TOOL --help-completion` prints (long and short), and each
example in it (a `.Dl` line that begins with the tool's name, below EXAMPLES) is the command of a golden case of that tool.
Usage: check_man.py --bin DIR
"""
import argparse
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def lint(page):
    done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", str(page)], capture_output=True, text=True, check=False)
    return [line for line in done.stdout.splitlines() if line.strip()]


def options_of_program(program):
    """Long and short options, as the completion list prints them: "-p,--print-nodes none"."""
    done = subprocess.run([program, "--help-completion"], capture_output=True, text=True, check=True, timeout=60)
    found = set()
    for line in done.stdout.splitlines():
        for form in line.split(" ")[0].split(","):
            if form.startswith("-"):
                found.add(form)
    return found


def options_of_page(text):
    """Options in the item heads of the page: `.It Fl p Ns Oo Ar FIELDS Oc , Fl -print-nodes Ns ...`."""
    found = set()
    for line in text.splitlines():
        if line.startswith(".It "):
            words = line.split()
            for i, word in enumerate(words[:-1]):
                if word == "Fl":
                    found.add("-" + words[i + 1])
    return found


def examples(text, tool):
    start = text.find("\n.Sh EXAMPLES")
    part = text[start:] if start >= 0 else ""
    end = part.find("\n.Sh ", 1)
    return [line[4:] for line in part[: end if end >= 0 else None].splitlines() if line.startswith(f".Dl {tool} ")]


def golden_commands(tool):
    commands = set()
    for cmd in (ROOT / "tests" / "golden" / tool).glob("*/cmd"):
        commands.update(line.strip() for line in cmd.read_text().splitlines())
    return commands


def problems_of_tool(page, program):
    text, tool = page.read_text(), page.stem
    told, known = options_of_page(text), options_of_program(program)
    for option in sorted(known - told):
        yield f"{page.name}: option {option} is missing"
    for option in sorted(told - known):
        yield f"{page.name}: option {option} does not exist"
    commands = golden_commands(tool)
    for example in examples(text, tool):
        if example not in commands:
            yield f"{page.name}: the example is no golden case: {example}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    args = parser.parse_args()
    if not shutil.which("mandoc"):
        print("no mandoc: skipped")
        return 77
    pages = sorted((ROOT / "man").glob("*.[157]"))
    problems = [problem for page in pages for problem in lint(page)]
    for page in pages:
        program = args.bin / page.stem
        if page.suffix == ".1" and program.exists():
            problems += problems_of_tool(page, str(program.absolute()))
    for problem in problems:
        print(problem)
    print(f"{len(pages)} pages, {len(problems)} problems")
    return 1 if problems or not pages else 0


if __name__ == "__main__":
    sys.exit(main())

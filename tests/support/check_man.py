#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Holds the manual pages against the programs.

Every page passes mandoc's lint (where mandoc is there). A page man/TOOL.1 names exactly the options that `TOOL --help-completion` prints (long and
short), and each example in it (a `.Dl` line that begins with the tool's name, below EXAMPLES) is the command of a golden case of that tool.
In a literal display, `$ COMMAND` is run in the project's folder with the tools on PATH, and the lines after it must be what it prints (standard
output and standard error). The literal display of ballast-text.5 is a snapshot: hbal must load it.
Usage: check_man.py --bin DIR
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def lint(page):
    if not shutil.which("mandoc"):
        return []
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


def problems_of_displays(page, env):
    """(number of commands, what is wrong)"""
    count, wrong = 0, []
    for lines in displays(page):
        if page.name == "ballast-text.5":
            wrong += check_snapshot(page, lines, env)
            continue
        commands, faults = check_commands(page, lines, env)
        count += commands
        wrong += faults
    return count, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    folder = parser.parse_args().bin.absolute()
    env = dict(os.environ, LC_ALL="C.UTF-8", PATH=f"{folder}{os.pathsep}{os.environ['PATH']}")
    env.pop("HTOOLS", None)
    pages = sorted((ROOT / "man").glob("*.[157]"))
    count, problems = 0, []
    for page in pages:
        problems += lint(page)
        program = folder / page.stem
        if page.suffix == ".1" and program.exists():
            problems += problems_of_tool(page, str(program))
        commands, faults = problems_of_displays(page, env)
        count += commands
        problems += faults
    for problem in problems:
        print(problem)
    print(f"{len(pages)} pages, {count} commands with output, {len(problems)} problems")
    return 1 if problems or not pages or not count else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The lines for cron of README and hbal(1), run as cron runs them: by sh, in an empty environment, from / and without a terminal.

What is said would be mailed: something where there is something to do, nothing where there is not; the files are written in both cases. The cluster
is a file in place of the local socket, the files go to a folder of the test.
Usage: cron.py --bin DIR
"""
import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What cron gives a job, and no more; PATH has our tools as if they were installed.
PLACES = {"README.md": r"^    (hbal -L .*--quiet-if-nothing.*)$", "man/hbal.1": r"^0 6 \* \* 1 root (hbal -L .*--quiet-if-nothing.*)$"}


def run(command, bin_folder):
    variables = [f"PATH={bin_folder}:/usr/bin:/bin", "HOME=/", "LOGNAME=root", "SHELL=/bin/sh"]
    return subprocess.run(["env", "-i", *variables, "sh", "-c", command], cwd="/", stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def balanced(bin_folder, folder):
    """The cluster as it is after hbal's plan: then there is nothing left."""
    plan, after, start = folder / "first.json", folder / "after.data", ROOT / "data/ganeti/office.data"
    subprocess.run([bin_folder / "hbal", "-t", start, "-G", "office", "--save-plan", plan], capture_output=True, check=True)
    subprocess.run([bin_folder / "hplan", "after", plan, "-t", start, "--output", after], capture_output=True, check=True)
    return after


def problems_of(name, line, bin_folder, folder):
    if "%" in line:
        yield f"{name}: cron takes % for the end of the line"
    busy, quiet = ROOT / "data/ganeti/office.data", balanced(bin_folder, folder)
    for what, cluster in (("something to do", busy), ("nothing to do", quiet)):
        out = folder / what.replace(" ", "-")
        out.mkdir()
        command = re.sub(r"/var/lib/\w+", str(out), line.replace("-L", f"-t {shlex.quote(str(cluster))}").replace("-G default", "-G office"))
        done = run(command, bin_folder)
        says = bool(done.stdout + done.stderr)
        if done.returncode != 0:
            yield f"{name}, {what}: status {done.returncode}: {done.stderr[-300:]}"
        if says != (what == "something to do"):
            yield f"{name}, {what}: a mail of {len(done.stdout)} and {len(done.stderr)} bytes: {(done.stdout + done.stderr)[:300]}"
        files = {file.suffix: file for file in out.iterdir()}
        if sorted(files) != [".html", ".json", ".prom"]:
            yield f"{name}, {what}: files {sorted(files)}"
            continue
        steps = len(json.loads(files[".json"].read_text())["steps"])
        if (steps > 0) != says or f"ballast_plan_steps {steps}\n" not in files[".prom"].read_text() or "</html>" not in files[".html"].read_text():
            yield f"{name}, {what}: the files do not tell the same ({steps} steps)"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True)
    bin_folder = pathlib.Path(parser.parse_args().bin).resolve()
    problems = []
    for name, pattern in PLACES.items():
        lines = re.findall(pattern, (ROOT / name).read_text(), re.M)
        if not lines:
            problems.append(f"{name}: no line for cron")
        for line in lines:
            with tempfile.TemporaryDirectory() as folder:
                problems += problems_of(name, line, bin_folder, pathlib.Path(folder))
    print("\n".join(problems) or f"the lines of {len(PLACES)} pages run as cron runs them")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

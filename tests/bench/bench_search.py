#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Sets hbal --search beside the step-by-step plan and prints a Markdown table.

bench_search.py --bin DIR [--threads N] [--only TEXT] [--work N]

Rows: each kind of make_cluster.py at 40x400 (at most ten seconds) and 160x1600 (ten), random at 1000x10000 (twenty). Two runs a
row: hbal, and hbal --search, whose figures include the step-by-step plan that it computes first. The gap is what the score lies above
the proven bound, as a share of the score.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import measured

HERE = pathlib.Path(__file__).resolve().parent
KINDS = ["drbd", "new", "half", "skewed", "mixed", "drained", "storage"]
FIGURES = re.compile(r"score ([0-9.]+), (\d+) steps, (\d+) MiB")
PLAN = "{:.3f}, {:,}, {:,}, {:.1f}, {:.0f}, {:.0f} %"


def make_cluster(path, nodes, kind):
    command = [sys.executable, HERE / "make_cluster.py", str(nodes), str(nodes * 10)]
    command += ["--storage"] if kind == "storage" else ["--kind", kind]
    with open(path, "w", encoding="ascii") as out:
        subprocess.run(command, stdout=out, check=True)


def shown(line, run, least):
    score, steps, mib = FIGURES.search(line).groups()
    gap = 100 * (1 - least / float(score)) if float(score) > 0 else 0
    return PLAN.format(float(score), int(steps), int(mib) // 1024, run.cpu, run.mib, gap)


def measure(hbal, path, limit, threads):
    runs = [measured.run([hbal, "-t", path, *options, f"--threads={threads}"]) for options in ([], limit)]
    if None in runs:
        sys.exit("bench: hbal failed")
    plain, better = runs
    lines = {line.split(":")[0].strip(): line for line in better.output.decode().splitlines() if line.startswith("  ")}
    least = float(re.search(r"score ([0-9.]+)", lines["at least"]).group(1))
    return shown(lines["step by step"], plain, least), shown(lines["this plan"], better, least), f"{least:.3f}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--reference", help="ignored: it has no such search")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--work", type=int, help="end states to look at for each instance, in place of the clock: "
                        "the same plans on every machine, however busy")
    parser.add_argument("--only", default="", help="rows whose name contains this")
    args = parser.parse_args()
    rows = [(nodes, kind, 10) for nodes in (40, 160) for kind in KINDS] + [(1000, "drbd", 20)]
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, {args.threads} threads\n")
    figures = "score, steps, GiB, CPU s, MiB, gap"
    print(f"| cluster | step by step: {figures} | --search: {figures} | at least |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for nodes, kind, seconds in rows:
            name = f"{nodes}x{nodes * 10} {kind}"
            if args.only not in name:
                continue
            path = pathlib.Path(folder) / "cluster.data"
            make_cluster(path, nodes, kind)
            limit = ["--search", f"--search-steps={args.work * nodes * 10}"] if args.work else [f"--search={seconds}"]
            print(f"| {' | '.join([name, *measure(args.bin / 'hbal', path, limit, args.threads)])} |", flush=True)


main()

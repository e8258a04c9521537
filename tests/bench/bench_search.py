#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Sets hbal --search beside the step-by-step plan and prints a Markdown table.

bench_search.py --bin DIR [--threads N] [--only TEXT] [--work N]

Rows: each kind of make_cluster.py at 40x400 (at most ten seconds) and 160x1600 (ten), random at 1000x10000 (twenty). Two runs a
row: hbal, and hbal --search, whose figures include the step-by-step plan that it computes first. The gap is what the score lies above
the proven bound, as a share of the score.

A second table is without limits on steps and data: how near to the bound a plan can end.

A third table is of clusters whose way to a balanced end is known (make_scrambled.py): the share of the score's way that --search
goes in at most as many steps as suffice (which cost nothing there), its steps, and what it copies as a share of what suffices, beside the step-by-step plan.
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


UNLIMITED = [(20, "drbd"), (40, "drbd"), (40, "mixed"), (40, "drained")]
SCRAMBLED = [(nodes, moves, kind)
             for nodes, moves in ((16, 20), (40, 50), (40, 100), (160, 50), (160, 100), (1000, 100), (1000, 200))
             for kind in ("equal", "sizes", "tags", "storage") if nodes == 40 or kind == "equal"]


def scrambled(folder, nodes, moves, kind):
    """The cluster's file, the score of its balanced end (of as many digits as the tool prints), and MiB of the way back."""
    path, end = folder / "scrambled.data", folder / "end.data"
    command = [sys.executable, HERE / "make_scrambled.py", str(nodes), str(moves), "--kind", kind]
    for file, more in ((path, []), (end, ["--end"])):
        with open(file, "w", encoding="ascii") as out:
            run = subprocess.run(command + more, stdout=out, stderr=subprocess.PIPE, check=True)
        if file is path:
            mib = int(run.stderr.split()[2])
    return path, end, mib


def score_of(hbal, path):
    output = measured.run([hbal, "-t", path, "-l0"]).output.decode()
    return float(re.search(r"score:? (?:is )?([0-9.]+)", output).group(1))


def way_back(hbal, folder, row, limit, threads):
    """Cells: step by step in as many steps, then --search: share of the way, steps, share of the bytes, CPU seconds."""
    nodes, moves, kind = row
    path, end, mib = scrambled(folder, nodes, moves, kind)
    before, best = score_of(hbal, path), score_of(hbal, end)
    cells = []
    for options, line in ([f"--max-length={moves}"], None), ([*limit, f"--max-steps={moves}", "--move-price=0", "--data-price=0"], "this plan"):
        run = measured.run([hbal, "-t", path, *options, f"--threads={threads}"])
        output = run.output.decode()
        if line is None:
            score = float(re.search(r"^Cluster score improved from \S+ to (\S+)", output, re.M)[1])
            steps = int(re.search(r"^Solution length=(\d+)", output, re.M)[1])
            cells.append(f"{100 * (before - score) / (before - best):.1f} %, {steps}, {run.cpu:.1f}")
        else:
            score, steps, copied = FIGURES.search(output[output.index(line):]).groups()
            share = 100 * (before - float(score)) / (before - best)
            cells.append(f"{share:.1f} %, {steps}, {100 * int(copied) / mib:.0f} %, {run.cpu:.1f}")
    return cells


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


def without_limits(hbal, path, threads):
    """Cells: --search with all steps and data that it wants, what it proves, and the gap."""
    free = ["--search=30", "--max-steps=100000", "--move-price=0", "--data-price=0"]
    _, better, least = measure(hbal, path, free, threads)
    return better, least


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
        print(f"\n| cluster, no limits | --search: {figures} | at least |")
        print("|---|---|---|")
        for nodes, kind in UNLIMITED:
            name = f"{nodes}x{nodes * 10} {kind}, no limits"
            if args.only in name:
                path = pathlib.Path(folder) / "cluster.data"
                make_cluster(path, nodes, kind)
                print(f"| {' | '.join([name, *without_limits(args.bin / 'hbal', path, args.threads)])} |", flush=True)
        print("\n| nodes, moves away, kind | step by step: way back, steps, CPU s | --search: way back, steps, bytes, CPU s |")
        print("|---|---|---|")
        for row in SCRAMBLED:
            name = "{} nodes, {} moves, {}".format(*row)
            if args.only not in name:
                continue
            seconds = 60 if row[0] >= 1000 else 10
            limit = ["--search", f"--search-steps={args.work * row[0] * 10}"] if args.work else [f"--search={seconds}"]
            cells = way_back(args.bin / "hbal", pathlib.Path(folder), row, limit, args.threads)
            print(f"| {' | '.join([name, *cells])} |", flush=True)


main()

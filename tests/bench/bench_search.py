#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Sets hbal --search beside the step-by-step plan and prints a Markdown table.

bench_search.py --bin DIR [--threads N] [--only TEXT] [--work N]

Rows: each kind of make_cluster.py at 40x400 (at most ten seconds) and 160x1600 (ten), one at 1000x10000 (twenty). CPU seconds and
peak memory are those of the whole process with --search, the step-by-step plan that it computes first included.
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
ROW = "| {} | {} | {} | {} | {:.1f} | {:.0f} |"


def make_cluster(path, nodes, kind):
    command = [sys.executable, HERE / "make_cluster.py", str(nodes), str(nodes * 10)]
    command += ["--storage"] if kind == "storage" else ["--kind", kind]
    with open(path, "w", encoding="ascii") as out:
        subprocess.run(command, stdout=out, check=True)


def shown(line):
    score, steps, mib = FIGURES.search(line).groups()
    return f"{float(score):.3f}, {int(steps):,}, {int(mib) // 1024:,}"


def measure(hbal, path, limit, threads):
    run = measured.run([hbal, "-t", path, *limit, f"--threads={threads}"])
    if run is None:
        sys.exit("bench: hbal failed")
    lines = {line.split(":")[0].strip(): line for line in run.output.decode().splitlines() if line.startswith("  ")}
    least = re.search(r"score ([0-9.]+)", lines["at least"]).group(1)
    return shown(lines["step by step"]), shown(lines["this plan"]), f"{float(least):.3f}", run.cpu, run.mib


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
    print("| cluster | step by step: score, steps, GiB | --search: score, steps, GiB | at least | CPU s | peak MiB |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for nodes, kind, seconds in rows:
            name = f"{nodes}x{nodes * 10} {kind}"
            if args.only not in name:
                continue
            path = pathlib.Path(folder) / "cluster.data"
            make_cluster(path, nodes, kind)
            limit = ["--search", f"--search-steps={args.work * nodes * 10}"] if args.work else [f"--search={seconds}"]
            print(ROW.format(name, *measure(args.bin / "hbal", path, limit, args.threads)), flush=True)


main()

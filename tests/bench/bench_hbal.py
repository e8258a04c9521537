#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""bench_hbal.py --bin DIR [--reference DIR] [--limit SECONDS] [--threads N] [ROW...]: hbal on generated clusters, as a Markdown table.

A row is NODESxINSTANCES, with -KIND (mixed, new, half, skewed, drained) and +storage where wanted: 40x400, 160x1600-mixed,
1000x10000+storage. Without rows a fixed list runs. The reference is measured where its folder is given and it ends within
the limit; rows above 40 nodes are not tried.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import measured

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = ["20x200", "40x400", "80x800", "160x1600", "320x3200", "1000x10000", "20x200-mixed", "40x400-mixed",
        "160x1600-mixed", "1000x10000-mixed", "160x1600-half", "160x1600-skewed", "160x1600-drained",
        "160x1600+storage", "1000x10000+storage"]


def parse_row(row):
    match = re.fullmatch(r"(\d+)x(\d+)(?:-(\w+))?(\+storage)?", row)
    if not match:
        sys.exit(f"bench: row {row!r}: NODESxINSTANCES[-KIND][+storage] expected")
    return int(match[1]), int(match[2]), match[3] or "drbd", bool(match[4])


def generate(row, path):
    nodes, instances, kind, storage = parse_row(row)
    command = [sys.executable, os.path.join(HERE, "make_cluster.py"), str(nodes), str(instances), "--kind", kind]
    with open(path, "wb") as out:
        subprocess.run(command + (["--storage"] if storage else []), stdout=out, check=True)


def measure(command, limit):
    """The figures of a run, its wall seconds, steps and score; None where the limit was passed."""
    started = time.monotonic()
    run = measured.run(command, limit)
    if run is None:
        return None
    wall, output = time.monotonic() - started, run.output.decode()
    steps = re.search(r"^Solution length=(\d+)", output, re.M)
    score = re.search(r"^Cluster score improved from \S+ to (\S+)", output, re.M)
    return {"cpu": run.cpu, "wall": wall, "mib": run.mib, "steps": steps[1] if steps else "0", "score": score[1] if score else "-"}


def cells(result):
    if result is None:
        return ["-"] * 4
    return [f"{result['cpu']:.3g}", f"{result['wall']:.3g}", f"{result['mib']:.0f}", f"{result['steps']}, {result['score']}"]


def main():
    parser = measured.parser(__doc__, 600)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("rows", nargs="*")
    args = parser.parse_args()
    ours = os.path.join(args.bin, "hbal")
    print("| nodes x instances | load and score s | CPU s | wall s | peak MiB | steps, final score | reference CPU s | wall s "
          "| peak MiB | steps, final score | CPU ratio |")
    print("|" + "---|" * 11)
    folder = tempfile.mkdtemp(prefix="ballast-bench-")
    try:
        for row in args.rows or ROWS:
            path = os.path.join(folder, "cluster.data")
            generate(row, path)
            command = [ours, "--threads", str(args.threads), "-t", path]
            load = measure(command + ["-l", "0"], args.limit)
            result = measure(command, args.limit)
            reference = None
            if args.reference and parse_row(row)[0] <= 40 and "+storage" not in row:
                reference = measure([os.path.join(args.reference, "hbal"), "-t", path], args.limit)
            ratio = f"{reference['cpu'] / result['cpu']:,.0f}" if reference and result else "-"
            print("| " + " | ".join([row, f"{load['cpu']:.3g}" if load else "-"] + cells(result) + cells(reference) + [ratio]) + " |",
                  flush=True)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""bench_hcheck.py --bin DIR [--reference DIR] [--limit SECONDS] [ROW...]: hcheck beside hbal on generated clusters that need
rebalancing, as a Markdown table. Rows as in bench_hbal.py; the reference is not tried above 40 nodes.
"""
import os
import tempfile

import measured
from bench_hbal import generate, parse_row

ROWS = ["40x400-drained", "160x1600-drained", "160x1600-drained+storage", "1000x10000-drained"]


def cpu_seconds(command, limit):
    """None where the limit was passed; hcheck's status 1 only says that something is wrong."""
    run = measured.run(command, limit, accepted=(0, 1))
    return run.cpu if run else None


def cell(seconds):
    return "-" if seconds is None else f"{seconds:.3g}"


def main():
    parser = measured.parser(__doc__, 600)
    parser.add_argument("rows", nargs="*")
    args = parser.parse_args()
    print("| nodes x instances | hbal CPU s | hcheck | --no-simulation | --doctor | --what-if | reference hcheck |")
    print("|" + "---|" * 7)
    for row in args.rows or ROWS:
        with tempfile.NamedTemporaryFile(suffix=".data") as file:
            generate(row, file.name)
            ours = [os.path.join(args.bin, "hcheck"), "-t", file.name]
            seconds = [cpu_seconds([os.path.join(args.bin, "hbal"), "-t", file.name], args.limit)]
            for more in ([], ["--no-simulation"], ["--doctor"], ["--what-if", "node=node1"]):
                seconds.append(cpu_seconds(ours + more, args.limit))
            has_reference = args.reference and parse_row(row)[0] <= 40 and "+storage" not in row
            seconds.append(cpu_seconds([os.path.join(args.reference, "hcheck"), "-t", file.name], args.limit) if has_reference else None)
        print("| " + " | ".join([row] + [cell(one) for one in seconds]) + " |", flush=True)


if __name__ == "__main__":
    main()

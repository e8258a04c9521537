#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""bench_hspace.py --bin DIR [--reference DIR] [--limit SECONDS] [--largest NODES] [ROW...]: hspace on simulated clusters, as a Markdown table.

A row is NODES-TEMPLATE[+unchecked]: 40-drbd, 160-plain, 640-plain+unchecked (without redundancy tests). Without rows a fixed list
runs. Each run is a tiered and a fixed one. The reference is measured where its folder is given, up to --largest nodes (20), and where
it ends within the limit; it must place as many instances.
"""
import os
import re
import sys

import measured

ROWS = ["10-drbd", "20-drbd", "40-drbd", "160-drbd", "640-drbd", "10-plain", "20-plain", "40-plain", "160-plain", "640-plain",
        "160-plain+unchecked", "640-plain+unchecked"]


def words_of(row):
    match = re.fullmatch(r"(\d+)-(drbd|plain|ext)(\+unchecked)?", row)
    if not match:
        sys.exit(f"bench: row {row!r}: NODES-TEMPLATE[+unchecked] expected")
    words = [f"--simulate=p,{match[1]},1t,64g,16", f"--disk-template={match[2]}", "--tiered-alloc=60g,4g,2", "--standard-alloc=60g,4g,1"]
    return words + (["--no-capacity-checks"] if match[3] else [])


def measure(command, limit):
    """The figures of a run and the instances of the tiered and of the fixed one; None where the limit was passed."""
    run = measured.run(command, limit)
    if run is None:
        return None
    output = run.output.decode()
    tiered = sum(map(int, re.findall(r"(\d+) instances of spec", output)))
    fixed = re.search(r"(\d+) instances allocated", output)
    return {"cpu": run.cpu, "mib": run.mib, "placed": f"{tiered} + {fixed[1]}"}


def cells(result):
    return [f"{result['cpu']:.3g}", f"{result['mib']:.0f}", result["placed"]] if result else ["-"] * 3


def main():
    parser = measured.parser(__doc__, 300)
    parser.add_argument("--largest", type=int, default=20, help="nodes up to which the reference is run")
    parser.add_argument("rows", nargs="*")
    args = parser.parse_args()
    print("| nodes, template | CPU s | peak MiB | placed, tiered + fixed | reference CPU s | peak MiB | placed | CPU ratio |")
    print("|" + "---|" * 8)
    for row in args.rows or ROWS:
        words = words_of(row)
        ours = measure([os.path.join(args.bin, "hspace"), *words], args.limit)
        reference = None
        if args.reference and int(row.split("-")[0]) <= args.largest:
            reference = measure([os.path.join(args.reference, "hspace"), *words], args.limit)
        if ours and reference and ours["placed"] != reference["placed"]:
            sys.exit(f"bench: {row}: placed {ours['placed']}, the reference {reference['placed']}")
        ratio = f"{reference['cpu'] / ours['cpu']:,.0f}" if ours and reference else "-"
        print("| " + " | ".join([row, *cells(ours), *cells(reference), ratio]) + " |", flush=True)


if __name__ == "__main__":
    main()

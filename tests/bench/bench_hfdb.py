#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""bench_hfdb.py --bin DIR [--limit SECONDS] [ROW...]: hfdb plan --set storageServersPerPod=2 on generated clusters, as a Markdown table.

A row is GROUPSxZONES: 2000x50. Without rows a fixed list runs. Options of the other benchmarks are accepted and not used.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import measured

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = ["50x50", "200x50", "2000x50", "2000x2000", "5000x500", "10000x50"]


def parse_row(row):
    match = re.fullmatch(r"(\d+)x(\d+)", row)
    if not match:
        sys.exit(f"bench: row {row!r}: GROUPSxZONES expected")
    return match[1], match[2]


def main():
    parser = measured.parser(__doc__, 600)
    parser.add_argument("rows", nargs="*")
    args = parser.parse_args()
    print("| groups | zones | CPU s | peak MiB | steps |")
    print("|" + "---|" * 5)
    folder = tempfile.mkdtemp(prefix="ballast-bench-")
    try:
        for row in args.rows or ROWS:
            groups, zones = parse_row(row)
            subprocess.run([sys.executable, os.path.join(HERE, "make_fdb.py"), folder, groups, zones], check=True)
            files = [os.path.join(folder, name) for name in ("cluster.yaml", "pods.json", "status.json")]
            result = measured.run([os.path.join(args.bin, "hfdb"), "plan", "--current", files[0], "--kube", files[1], "--status", files[2],
                              "--set", "storageServersPerPod=2", "--format", "brief"], args.limit)
            steps = str(result.output.count(b"\n")) if result else "-"
            figures = [f"{result.cpu:.2f}", f"{result.mib:.0f}", steps] if result else ["-"] * 3
            print("| " + " | ".join([groups, zones] + figures) + " |", flush=True)
    finally:
        shutil.rmtree(folder)


main()

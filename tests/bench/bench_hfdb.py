#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""bench_hfdb.py --bin DIR [--limit SECONDS] [ROW...]: hfdb plan --set storageServersPerPod=2 on generated clusters, as a Markdown table.

A row is GROUPSxZONES: 2000x50. Without rows a fixed list runs. Options of the other benchmarks are accepted and not used.
"""
import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = ["50x50", "200x50", "2000x50", "2000x2000", "5000x500"]


def parse_row(row):
    match = re.fullmatch(r"(\d+)x(\d+)", row)
    if not match:
        sys.exit(f"bench: row {row!r}: GROUPSxZONES expected")
    return match[1], match[2]


def measure(command, limit):
    """CPU seconds, peak MiB and number of steps; None where the limit was passed."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)))
    steps = sum(1 for _ in process.stdout)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    return None if status != 0 else (usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, steps)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--reference")
    parser.add_argument("--limit", type=int, default=600)
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
            result = measure([os.path.join(args.bin, "hfdb"), "plan", "--current", files[0], "--kube", files[1], "--status", files[2],
                              "--set", "storageServersPerPod=2", "--format", "brief"], args.limit)
            figures = [f"{result[0]:.2f}", f"{result[1]:.0f}", str(result[2])] if result else ["-"] * 3
            print("| " + " | ".join([groups, zones] + figures) + " |", flush=True)
    finally:
        shutil.rmtree(folder)


main()

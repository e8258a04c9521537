#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What inputs cost that grow in one way: processor time and peak of memory of whole programs on n, 2 n and 4 n (growing.py,
growing_operators.py say of what).

Asked for: four times the input takes at most TIMES_MORE times the time (n log n stays far below, a square is sixteen times; times below
LEAST_SECONDS say nothing, and what fails is measured again), and a further byte of input at most BYTES_PER_BYTE of memory. Processor time
is that of the process, not of the clock; --list names the cases, --table shows what each takes.
"""
import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import growing
import growing_beside  # noqa: F401: registers its makers
import growing_operators  # noqa: F401: registers its makers

TIMES_MORE = 8
LEAST_SECONDS = 1
BYTES_PER_BYTE = 60
MIB_OF_ITS_OWN = 120
MOST_SECONDS = 120


def run(words, folder):
    """Seconds of the processor, MiB at the peak, exit status."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder,
                          preexec_fn=limits) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, process.returncode


def measured(binaries, maker, n):
    """Bytes of input, seconds, MiB, exit status."""
    files, words = maker(n)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file, text in files.items():
            (folder / file).write_text(text)
        words = [str(folder / (word[1:] or next(iter(files)))) if word.startswith("@") else word for word in words]
        given = sum(len(text.encode()) for text in files.values()) + sum(len(word) for word in words)
        return given, *run([str(binaries / words[0]), *words[1:]], folder)


def complaint(small, middle, large):
    for given, seconds, mib, status in (small, middle, large):
        if status < 0 or status > 5:
            return f"ends with status {status} after {seconds:.1f} s on {given} bytes"
        if mib > MIB_OF_ITS_OWN + BYTES_PER_BYTE * given / 2**20:
            return f"{mib:.0f} MiB for {given} bytes"
    if large[1] > TIMES_MORE * max(small[1], LEAST_SECONDS / TIMES_MORE):
        return f"{small[1]:.2f} s for {small[0]} bytes, {large[1]:.2f} s for {large[0]}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--divide", type=int, default=1, help="smaller inputs, for builds that are not optimised")
    parser.add_argument("--tries", type=int, default=3)
    parser.add_argument("case", nargs="*", help="beginnings of the names of cases; all of them otherwise")
    options = parser.parse_args()
    faults = done = 0
    for name, (base, maker) in growing.MAKERS.items():
        if options.case and not any(name.startswith(case) for case in options.case):
            continue
        if options.list:
            print(name)
            continue
        for _ in range(options.tries):
            rows = [measured(options.bin.resolve(), maker, base * more // options.divide) for more in (1, 2, 4)]
            fault = complaint(*rows)
            if fault is None:
                break
        done += 1
        if options.table:
            print(f"{name:45}" + "".join(f" | {given:9} {seconds:6.2f} s {mib:5.0f} MiB" for given, seconds, mib, _ in rows), rows[-1][3],
                  "" if fault is None else "FAULT", flush=True)
        if fault is not None:
            faults += 1
            print(f"{name}: {fault}", file=sys.stderr)
    print(f"{done} ways to grow, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

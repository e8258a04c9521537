#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Looks at the binaries of a build: position-independent, full RELRO, no executable stack, guarded stacks, checked copies, and marks
of control-flow protection. Exit status 77 where the build is not a hardened one, or readelf is absent.
"""
import argparse
import pathlib
import platform
import re
import shutil
import subprocess
import sys


def readelf(*words):
    return subprocess.run(["readelf", "--wide", *words], capture_output=True, text=True, check=True).stdout


def faults_of(binary):
    header, segments, dynamic = readelf("-h", binary), readelf("-l", binary), readelf("-d", binary)
    symbols, notes = readelf("--dyn-syms", binary), readelf("-n", binary)
    if not re.search(r"Type:\s+DYN", header):
        yield "is not position-independent"
    if "GNU_RELRO" not in segments or not re.search(r"BIND_NOW|FLAGS_1.*NOW", dynamic):
        yield "has no full RELRO"
    stack = re.search(r"GNU_STACK.*", segments)
    if stack is None or "RWE" in stack.group():
        yield "has an executable stack"
    if "__stack_chk_fail" not in symbols:
        yield "guards no stack"
    if not re.search(r"__\w+_chk\b", symbols.replace("__stack_chk_fail", "")):
        yield "checks no copy (_FORTIFY_SOURCE)"
    if platform.machine() in ("x86_64", "AMD64") and not re.search(r"IBT.*SHSTK|SHSTK.*IBT", notes):
        yield "has no marks of control-flow protection"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--hardened", required=True, choices=("ON", "OFF"))
    parser.add_argument("binaries", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    if options.hardened == "OFF" or shutil.which("readelf") is None:
        print("no hardened build, or no readelf")
        return 77
    count = 0
    for binary in options.binaries:
        for fault in faults_of(str(binary)):
            count += 1
            print(f"{binary.name} {fault}", file=sys.stderr)
    print(f"{len(options.binaries)} binaries, {count} faults")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())

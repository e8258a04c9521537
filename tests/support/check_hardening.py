#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Looks at the binaries of a build: position-independent, full RELRO, no executable stack, guarded stacks, checked copies, and marks
of control-flow protection. Exit status 77 where the build is not a hardened one, or readelf is absent.

Control-flow protection (x86) is looked for where functions begin: each that can be called through a pointer must begin with the
instruction that allows it. The note in the file that lets the system switch the protection on is asked for only where the C library's
own start files have it: the linker leaves it out as soon as one object is without, as on Debian, and to force it would be untrue.
"""
import argparse
import pathlib
import platform
import re
import shutil
import subprocess
import sys

ENDBR64 = b"\xf3\x0f\x1e\xfa"
NOTE = re.compile(r"IBT.*SHSTK|SHSTK.*IBT")


def readelf(*words):
    return subprocess.run(["readelf", "--wide", *words], capture_output=True, text=True, check=True).stdout


def text_section(binary):
    """Address and bytes of .text."""
    found = re.search(r"\] \.text\s+PROGBITS\s+(\w+) (\w+) (\w+)", readelf("-S", binary))
    address, offset, size = (int(word, 16) for word in found.groups())
    with open(binary, "rb") as file:
        file.seek(offset)
        return address, file.read(size)


def entries(binary):
    """Names and addresses of the functions that others could call through a pointer: ours and what is compiled with them."""
    for line in readelf("-s", binary).splitlines():
        words = line.split()
        if len(words) == 8 and words[3] == "FUNC" and words[4] in ("GLOBAL", "WEAK") and words[6].isdigit():
            if words[7] == "main" or words[7].startswith("_Z"):
                yield words[7], int(words[1], 16)


def start_files_are_marked():
    """The C library's start files, which are linked into every program."""
    names = [subprocess.run(["c++", f"-print-file-name={name}"], capture_output=True, text=True).stdout.strip()
             for name in ("Scrt1.o", "crti.o", "crtn.o")] if shutil.which("c++") else []
    return bool(names) and all(pathlib.Path(name).exists() and NOTE.search(readelf("-n", name)) for name in names)


def control_flow_faults(binary):
    address, code = text_section(binary)
    functions = {name: where - address for name, where in entries(binary) if 0 <= where - address < len(code)}
    bare = sorted(name for name, where in functions.items() if code[where:where + 4] != ENDBR64)
    if not functions:
        yield "has no symbols to look at"
    if bare:
        yield f"has no marks of control-flow protection at {len(bare)} of {len(functions)} functions, {bare[0]} first"
    if start_files_are_marked() and not NOTE.search(readelf("-n", binary)):
        yield "has no note of control-flow protection"


def faults_of(binary):
    header, segments, dynamic = readelf("-h", binary), readelf("-l", binary), readelf("-d", binary)
    symbols = readelf("--dyn-syms", binary)
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
    if platform.machine() in ("x86_64", "AMD64"):
        yield from control_flow_faults(binary)


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

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs seeded random cases through the reference (Debian's ganeti-htools-3.0) and through ours, and compares every byte.

Compared: standard output, exit status, written files, standard error (except for usage errors, exit 2). Known differences stand in
support/known.py, each with its reason. A failing case is made as small as possible and written to tests/golden/TOOL/found-SEED, with
the reference's answer as the expected one.

100 seeds unless --seeds says otherwise, 600 where BALLAST_LONG is set.

Usage: run.py --bin DIR [--seeds N] [--first S] [--tool NAME]... [--reference FILE] [--no-write] [--jobs N]
Exit status: 0 all equal, 1 differences, 77 no reference on this machine.
"""
import argparse
import importlib
import os
import pathlib
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from support import golden_case, known, runner, shrink  # noqa: E402


def tool_names():
    return sorted(p.stem for p in (HERE / "tools").glob("h*.py"))


def judge(case, pair):
    """(difference or None, name of a known difference or None)"""
    reference, ours = pair.run(case)
    difference = runner.compare(case, reference, ours)
    if not difference:
        return None, None
    return difference, known.find(case, reference, ours)


def run_seed(module, seed, pair):
    case = module.case(seed)
    difference, excuse = judge(case, pair)
    return case, difference, excuse


def is_failing(case, pair):
    difference, excuse = judge(case, pair)
    return difference is not None and excuse is None


def report_failure(case, difference, pair, write):
    print(f"seed {case.seed} of {case.tool} differs; making it small ...", flush=True)
    small = shrink.shrink(case, lambda candidate: is_failing(candidate, pair))
    if write:
        print(f"  written to {golden_case.write(small, pair)}")
    small_difference, _ = judge(small, pair)
    print(f"  {small.command()}")
    print(small_difference or difference, flush=True)


def run_tool(name, args, pair):
    module = importlib.import_module(f"tools.{name}")
    seeds = range(args.first, args.first + args.seeds)
    failures, excused = 0, {}
    with ThreadPoolExecutor(args.jobs) as pool:
        for case, difference, excuse in pool.map(lambda seed: run_seed(module, seed, pair), seeds):
            if excuse:
                excused[excuse] = excused.get(excuse, 0) + 1
            elif difference:
                failures += 1
                if failures <= args.show:
                    report_failure(case, difference, pair, args.write)
    print(f"{name}: {len(seeds)} seeds, {failures} differ")
    for excuse, count in sorted(excused.items()):
        print(f"  {count} known: {excuse}")
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--seeds", type=int, default=600 if os.environ.get("BALLAST_LONG") else 100)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--tool", action="append")
    parser.add_argument("--reference", default="/usr/lib/ganeti/3.0/usr/bin/htools")
    parser.add_argument("--no-write", dest="write", action="store_false")
    parser.add_argument("--show", type=int, default=5, help="failures to make small and print")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    reference = pathlib.Path(args.reference)
    if not reference.is_file():
        print(f"no reference at {reference}: skipped")
        return 77
    with runner.Pair(reference, pathlib.Path(args.bin).resolve()) as pair:
        failures = [run_tool(name, args, pair) for name in args.tool or tool_names()]
    return 1 if sum(failures) else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Plans of htidb against what TiDB Operator was seen to do, scenario by scenario.

The scenarios (recorded/*.jsonl, one a line) hold a cluster as htidb reads it, an edit, and the actions of the operator until it
came to rest, pass by pass. How the two are compared is written in compare.py, what may differ in known.py."""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare  # noqa: E402
import known  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent


def records(paths, only):
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                record["file"] = pathlib.Path(path).stem
                if only is None or str(record["seed"]) in only:
                    yield record


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True, help="folder of htidb")
    parser.add_argument("--seed", action="append", help="only this scenario")
    parser.add_argument("--show", action="store_true", help="both accounts of what differs")
    parser.add_argument("--strict", action="store_true", help="excuse nothing")
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    files = args.files or sorted(HERE.glob("recorded/*.jsonl"))
    excused, bad, total = collections.Counter(), collections.Counter(), 0
    program = pathlib.Path(args.bin) / "htidb"
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda r: (r, compare.compare(program, r)), records(files, args.seed)))
    for record, result in results:
        total += 1
        if result.difference is None:
            continue
        reason = None if args.strict else known.reason(record, result)
        if reason is not None:
            excused[reason] += 1
            continue
        bad[result.difference.split(":")[0]] += 1
        print(f"{record['file']} seed {record['seed']} ({record['kind']}): {result.difference}")
        if args.show:
            print(result.account())
    for name, count in sorted(excused.items()):
        print(f"known: {name}: {count}")
    for name, count in bad.most_common():
        print(f"DIFFERENT: {name}: {count}")
    print(f"{total} scenarios, {sum(excused.values())} with a known difference, {sum(bad.values())} different")
    return 1 if bad or not total else 0


if __name__ == "__main__":
    sys.exit(main())

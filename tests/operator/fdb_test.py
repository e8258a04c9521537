# SPDX-License-Identifier: BSD-2-Clause
"""Holds hfdb against what the FoundationDB operator did, pass by pass.

    fdb_test.py --bin DIR [--show] [SCENARIO.json ...]

Each scenario in tests/operator/fdb holds a cluster at rest or in the middle of something (the three files that hfdb reads), an edit of its
spec, and what release 2.33 of the operator then did: for each pass that did anything, the effects in their order. fdb_effects.py says what is
compared and what cannot be; fdb_known.py lists the differences that are meant, each with its reason."""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import fdb_effects
import fdb_known
import fdb_record

HERE = pathlib.Path(__file__).resolve().parent


def plan_of(binary, scenario):
    """The plan that hfdb prints for the scenario, or its refusal as text."""
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for name in ("cluster", "kube", "status", "desired"):
            files[name] = pathlib.Path(folder, name + ".json")
            files[name].write_text(json.dumps(scenario[name]))
        command = [str(binary), "plan", "--json", "--now", scenario["now"]]
        for option, name in (("--current", "cluster"), ("--kube", "kube"), ("--status", "status"), ("--desired", "desired")):
            command += [option, str(files[name])]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode not in (0, 3):
        return done.stderr.replace(folder + "/", "")
    return json.loads(done.stdout)


def differences(binary, scenario):
    """What differs, in words, with the names of the meant differences that took part."""
    plan = plan_of(binary, scenario)
    if isinstance(plan, str):
        return ["hfdb refuses: " + plan.strip().splitlines()[0]], []
    ours, theirs = fdb_effects.of_plan(plan), fdb_effects.of_operator(scenario)
    excused = []
    for known in fdb_known.DIFFERENCES:
        if known.applies(scenario, plan, theirs, ours):
            theirs, ours = known.without(scenario, theirs, ours)
            excused.append(known.name)
    return fdb_effects.compare(theirs, ours), excused


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--show", action="store_true", help="print both sequences of each scenario that differs")
    parser.add_argument("scenarios", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    files = args.scenarios or sorted((HERE / "fdb").glob("*.json"))
    failed, excused = 0, collections.Counter()
    for file in files:
        scenario = fdb_record.full(json.loads(file.read_text()))
        found, names = differences(args.bin / "hfdb", scenario)
        excused.update(names)
        if not found:
            continue
        failed += 1
        print(f"{file.name} ({', '.join(scenario['kind'])}): {found[0]}")
        if args.show:
            print("\n".join("    " + line for line in found[1:]))
    for name, count in sorted(excused.items()):
        print(f"meant: {name}: {count} scenarios")
    unused = [known.name for known in fdb_known.DIFFERENCES if not excused[known.name]]
    if not args.scenarios and unused:
        print("never met, take it out: " + "; ".join(unused))
        failed += 1
    print(f"{len(files)} scenarios, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

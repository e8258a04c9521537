#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Follows the remedies of hfdb and htidb: each golden case whose plan is blocked is planned again with what a remedy says to set.

It must be taken (no unknown field, no value that is refused), must not be blocked where it was, and must not be the case already.
Remedies that also want something done by hand, or that say where they get stuck, are only held to what can be read: none is told
twice, and none offers nothing or throws a store's claim away."""
import argparse
import json
import pathlib
import shlex
import subprocess
import sys

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"
STUCK = ("gets stuck", "gets further")
# Where processes must be labelled anew besides.
BY_HAND = ("locality_data_hall",)
OTHER_FORMS = {"--json", "--verbose", "-v", "--detailed-exit-code"}
WITH_VALUE = {"--format", "--output", "-o", "--report", "--plan-file", "--metrics", "--write-state", "--stages"}


def plain(words):
    """The words of a plan's command without those that choose its form."""
    kept, skip = [], False
    for word in words:
        if skip or word in OTHER_FORMS or word.split("=")[0] in WITH_VALUE:
            skip = not skip and word in WITH_VALUE
            continue
        kept.append(word)
    return kept


def commands(case, tool):
    for line in (case / "cmd").read_text(encoding="utf-8").splitlines():
        if any(mark in line for mark in "|;&<>$#`"):
            continue
        words = shlex.split(line)
        if words[:2] == [tool, "plan"]:
            yield plain(words[1:])


def planned(program, case, words):
    """Exit status, and the plan where there is one."""
    run = subprocess.run([program, *words, "--json"], cwd=case, capture_output=True, text=True, check=False)
    try:
        return run.returncode, json.loads(run.stdout)
    except json.JSONDecodeError:
        return run.returncode, {}


def where(plan):
    return [(block.get("code"), block.get("gate"), block["subject"]["name"]) for block in plan.get("blocked", [])]


def steps(plan):
    return [(step["action"], step["subject"]["name"], step.get("detail")) for step in plan["steps"]]


def flaw(program, case, words, plan, remedy):
    text = remedy["text"]
    if any(command.find(" delete pvc ") >= 0 and "no store" not in text for command in remedy.get("commands", [])):
        return "throws a claim away"
    if not remedy.get("set") or remedy.get("commands") or any(mark in text for mark in STUCK + BY_HAND):
        return None
    if "replicas=0" in " ".join(remedy["set"]) and "new set" not in text:
        return "takes all pods away"
    more = [word for value in remedy["set"] for word in ("--set", value)]
    status, again = planned(program, case, words + more)
    if status not in (0, 2, 3):
        return f"is refused: {again.get('message', status)}"
    if any("UNKNOWN-KEY" in warning["code"] for warning in again["warnings"]) and not any("UNKNOWN-KEY" in w["code"] for w in plan["warnings"]):
        return "names no field"
    if set(where(plan)) & set(where(again)):
        return f"is blocked as before: {where(again)}"
    if steps(again) == steps(plan) and where(again) == where(plan):
        return "is the case already"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True, help="folder of the tools")
    args = parser.parse_args()
    followed = flaws = 0
    for tool in ("hfdb", "htidb"):
        program = str(pathlib.Path(args.bin).resolve() / tool)
        for case in sorted(cmd.parent for cmd in (GOLDEN / tool).glob("*/cmd")):
            for words in commands(case, tool):
                _, plan = planned(program, case, words)
                for block in plan.get("blocked", []):
                    texts = [remedy["text"] for remedy in block.get("remedies", [])]
                    if len(texts) != len(set(texts)):
                        flaws += 1
                        print(f"{tool}/{case.name}: a remedy is told twice")
                    for remedy in block.get("remedies", []):
                        followed += 1
                        found = flaw(program, case, words, plan, remedy)
                        if found:
                            flaws += 1
                            print(f"{tool}/{case.name}: {remedy['text']!r} {found}")
    print(f"{followed} remedies, {flaws} flaws")
    return 1 if flaws or not followed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes a plan of many steps made of a small one: make_plan.py PLAN.json STEPS > large.json. (The seal does not hold.)"""
import copy
import json
import sys


def main():
    plan = json.load(open(sys.argv[1], encoding="utf-8"))
    count = int(sys.argv[2])
    pattern = plan["steps"]
    steps = []
    for n in range(1, count + 1):
        step = copy.deepcopy(pattern[(n - 1) % len(pattern)])
        step["n"], step["phase"] = n, (n + 3) // 4
        step["subject"]["name"] = f"instance{n}.example.com"
        for wait in step.get("waits_for", []):
            if "step" in wait:
                wait["step"] = n - 1
        step["waits_for"] = [wait for wait in step.get("waits_for", []) if wait.get("step") != 0]
        for unprotected in step.get("unprotected", []):
            unprotected["until_step"] = n
        steps.append(step)
    plan["steps"] = steps
    plan["totals"] |= {"steps": count, "phases": steps[-1]["phase"]}
    weakest = plan.get("weakest", [])  # one moment, or a list of them
    for moment in weakest if isinstance(weakest, list) else [weakest]:
        moment.pop("step", None)
    json.dump(plan, sys.stdout)


if __name__ == "__main__":
    main()

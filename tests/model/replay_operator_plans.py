#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Plans of hfdb and htidb, those of all golden cases and those of random clusters, replayed by independent models (fdb_rules.py,
tidb_rules.py). Every plan must keep the rules. 3,000 clusters of each with BALLAST_LONG.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import fdb_rules
import operator_clusters
import tidb_rules
from operator_inputs import golden_plans, inputs_of

RULES = {"hfdb": (fdb_rules, operator_clusters.fdb_case), "htidb": (tidb_rules, operator_clusters.tidb_case)}


class Session:
    def __init__(self, binaries, scratch):
        self.binaries, self.scratch = binaries, scratch
        self.plans, self.blocked, self.unread, self.faults = collections.Counter(), collections.Counter(), [], []
        self.actions = {tool: collections.Counter() for tool in RULES}

    def judge(self, tool, what, inputs, plan):
        rules = RULES[tool][0]
        try:
            fault = rules.replay(inputs, plan)
        except rules.Unknown as error:
            self.unread.append(f"{what}: {error}")
            return
        self.plans[tool] += 1
        self.blocked[tool] += plan["result"] == "blocked"
        self.actions[tool].update(step["action"] for step in plan["steps"])
        if fault is not None:
            self.faults.append(f"{what}: {fault}")

    def golden(self, tool):
        for name, inputs, plan in golden_plans(self.binaries, self.scratch, tool):
            self.judge(tool, name, inputs, plan)

    def generated(self, tool, seed):
        folder = self.scratch / "generated"
        folder.mkdir(exist_ok=True)
        words = RULES[tool][1](random.Random(f"{tool} {seed}"), folder)
        saved = folder / "plan.json"
        saved.unlink(missing_ok=True)
        run = subprocess.run([str(self.binaries / tool), *words, "--save-plan", str(saved)], cwd=folder, capture_output=True, text=True, timeout=120,
                             env={**os.environ, "BALLAST_CONFIG": ""})
        what = f"{tool} seed {seed}: {' '.join(words)}"
        if "internal error" in run.stdout + run.stderr:
            self.faults.append(f"{what}: {run.stderr}")
        elif saved.exists():
            self.judge(tool, what, inputs_of(words, folder), json.loads(saved.read_text()))
        else:
            self.unread.append(f"{what}: {run.stderr.strip()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=3000 if os.environ.get("BALLAST_LONG") else 100)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--tool", action="append", choices=sorted(RULES))
    parser.add_argument("--keep", type=pathlib.Path, help="work in this folder and leave the last input there")
    parser.add_argument("--no-golden", action="store_true", help="only random clusters")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        session = Session(options.bin.resolve(), options.keep or pathlib.Path(name))
        for tool in options.tool or RULES:
            if not options.no_golden:
                session.golden(tool)
            for seed in range(options.first, options.first + options.seeds):
                session.generated(tool, seed)
    for line in session.faults[:20]:
        print(line, file=sys.stderr)
    for line in session.unread[:3]:
        print(f"not replayed: {line}")
    for tool, actions in session.actions.items():
        told = ", ".join(f"{count} {action}" for action, count in sorted(actions.items()))
        print(f"{tool}: {session.plans[tool]} plans ({session.blocked[tool]} blocked) with {sum(actions.values())} steps ({told})")
    print(f"{len(session.unread)} inputs without a plan or not read, {len(session.faults)} faults")
    return 1 if session.faults or len(session.unread) > sum(session.plans.values()) / 10 else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Plans of random clusters, changed at random: what the independent models refuse, `hplan check` refuses, too. mutants.py and
operator_mutants.py name a mutant for each rule; here nobody chose which rule breaks.
"""
import argparse
import collections
import copy
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import fdb_rules
import ganeti_rules
import operator_clusters
import replay_plans
import tidb_rules
from operator_inputs import inputs_of

NODE_ACTIONS = ["power_off", "power_on", "reboot"]


def renumbered(plan, order):
    """What a plan says of itself follows: it is to be refused for its steps, not for its sums or scores."""
    old = {step["n"]: step for step in plan["steps"]}
    numbers = {id(step): n for n, step in enumerate(order, 1)}
    phase = 1
    for n, step in enumerate(order, 1):
        phase = step["phase"] = max(phase, step["phase"])
        waits = [{**wait, "step": numbers.get(id(old.get(wait["step"])), n)} if "step" in wait else wait for wait in step.get("waits_for", [])]
        step["waits_for"] = [wait for wait in waits if wait.get("step", 0) < n]
        step.pop("unprotected", None)
    for n, step in enumerate(order, 1):
        step["n"] = n
        step.pop("ganeti", None) if step.get("from") else None
    plan["steps"] = order
    plan["totals"]["steps"], plan["totals"]["phases"] = len(order), len({step["phase"] for step in order})
    plan["weakest"] = []
    plan["warnings"] = [{**warning, "steps": []} for warning in plan["warnings"]]


def drop(rng, order, _):
    del order[rng.randrange(len(order))]


def again(rng, order, _):
    order.insert(rng.randint(0, len(order)), copy.deepcopy(rng.choice(order)))


def moved(rng, order, _):
    order.insert(rng.randint(0, len(order) - 1), order.pop(rng.randrange(len(order))))


def early(rng, order, _):
    step = order.pop(rng.randrange(len(order)))
    step["phase"] = 1
    order.insert(0, step)


def one_phase(rng, order, _):
    for step in order:
        step["phase"] = 1


def subject(rng, order, names):
    step = rng.choice(order)
    step["subject"] = copy.deepcopy(rng.choice([other["subject"] for other in order] + [{**step["subject"], "name": name} for name in names[:3]]))


def place(rng, order, names):
    """Elsewhere, or from elsewhere."""
    moves = [step for step in order if step.get("from") and step.get("to")]
    if not moves:
        return subject(rng, order, names)
    end = rng.choice(moves)[rng.choice(["from", "to", "to"])]
    end[rng.choice(sorted(end))] = rng.choice(names)


def action(rng, order, _):
    step = rng.choice(order)
    step["action"] = rng.choice([other["action"] for other in order] + NODE_ACTIONS)


def taken_away(rng, order, names):
    """A node that goes, or a thing of the operator's."""
    step = copy.deepcopy(rng.choice(order))
    if any(one["subject"]["kind"] in ("instance", "node") for one in order):
        for key in ("from", "to", "cost", "before", "after", "ganeti"):
            step.pop(key, None)
        step.update(action=rng.choice(NODE_ACTIONS), subject={"kind": "node", "name": rng.choice(names)}, commands=[])
    else:
        step["subject"]["name"] = rng.choice(names)
    order.insert(rng.randint(0, len(order)), step)


CHANGES = [drop, again, moved, early, one_phase, subject, place, action, taken_away]


def changed(rng, plan, names):
    mutant = copy.deepcopy(plan)
    order = list(mutant["steps"])
    for _ in range(rng.choice([1, 1, 2])):
        if order:
            rng.choice(CHANGES)(rng, order, names)
    renumbered(mutant, order)
    return mutant


class Session:
    def __init__(self, binaries, folder, count):
        self.binaries, self.folder, self.count = binaries, folder, count
        self.mutants, self.broken, self.faults = collections.Counter(), collections.Counter(), []

    def run(self, *words):
        return subprocess.run([str(self.binaries / words[0]), *words[1:]], capture_output=True, text=True, errors="surrogateescape", cwd=self.folder,
                              timeout=120, env={**os.environ, "BALLAST_CONFIG": ""})

    def judge(self, rng, what, tool, plan, names, model, words):
        for number in range(self.count if plan["steps"] and names else 0):
            mutant = changed(rng, plan, names)
            if mutant["steps"] == plan["steps"]:
                continue
            self.mutants[tool] += 1
            try:
                fault = model(mutant)
            except (fdb_rules.Unknown, tidb_rules.Unknown):
                continue
            except (KeyError, IndexError, ValueError, TypeError):
                fault = None  # no step of that form: the model has nothing to say
            if fault is None:
                continue
            self.broken[tool] += 1
            (self.folder / "plan.json").write_text(json.dumps(mutant), errors="surrogateescape")
            run = self.run("hplan", "check", *words, "plan.json")
            if run.returncode == 0 and fault.endswith(" is on") and "done (step" in run.stdout:
                continue  # it counts as made already
            if run.returncode not in (1, 2, 3) or "internal error" in run.stderr:
                self.faults.append(f"{what}, mutant {number}: {fault}; hplan check ends with {run.returncode}: {run.stdout[:150]!r} {run.stdout[-60:]!r}")

    def ganeti(self, seed):
        """As replay_plans makes them."""
        rng = random.Random(f"ganeti {seed}")
        source = replay_plans.Session(self.binaries, self.folder)
        text = replay_plans.cluster_of(seed)
        data = self.folder / "cluster.data"
        data.write_text(text, errors="surrogateescape")
        names = [line.split("|")[0] for line in text.split("\n\n")[1].split("\n")]
        for tool, options in replay_plans.runs_of(seed):
            told = source.plan_of(tool, options, data, text.split("\n\n")[0].count("\n") > 0)
            if told is not None:
                plan = json.loads(told)
                self.judge(rng, f"seed {seed}, {tool} {options}", tool, plan, names, lambda one: ganeti_rules.replay(text, one), ["-t", str(data)])

    def operator(self, tool, seed):
        """As replay_operator_plans makes them."""
        rules, make = {"hfdb": (fdb_rules, operator_clusters.fdb_case), "htidb": (tidb_rules, operator_clusters.tidb_case)}[tool]
        words = make(random.Random(f"{tool} {seed}"), self.folder)
        if words[0] != "plan":
            return
        (self.folder / "saved.json").unlink(missing_ok=True)
        self.run(tool, *words, "--save-plan", "saved.json")
        if not (self.folder / "saved.json").exists():
            return
        plan = json.loads((self.folder / "saved.json").read_text())
        if plan["result"] == "blocked":
            return
        inputs = inputs_of(words, self.folder)
        names = sorted({step["subject"]["name"] for step in plan["steps"]})
        self.judge(random.Random(f"{tool} mutants {seed}"), f"{tool} seed {seed}: {' '.join(words)}", tool, plan, names,
                   lambda one: rules.replay(inputs, one), words[1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=300 if os.environ.get("BALLAST_LONG") else 8)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--each", type=int, default=8, help="mutants of each plan")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        session = Session(options.bin.resolve(), pathlib.Path(name), options.each)
        for seed in range(options.first, options.first + options.seeds):
            session.ganeti(seed)
            for tool in ("hfdb", "htidb"):
                session.operator(tool, seed)
    for fault in session.faults[:40]:
        print(fault, file=sys.stderr)
    told = ", ".join(f"{session.broken[tool]} of {count} of {tool}" for tool, count in sorted(session.mutants.items()))
    print(f"mutants that a model refuses: {told}; {len(session.faults)} that hplan check accepts")
    return 1 if session.faults or sum(session.broken.values()) < options.seeds else 0


if __name__ == "__main__":
    sys.exit(main())

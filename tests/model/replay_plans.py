#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Plans of hbal, hroller and hsqueeze on random clusters, with all their options, replayed by an independent model (ganeti_rules.py), as
they are and after `hplan undo`. Every plan must keep the model's rules; `hplan check` must agree.
"""
import argparse
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "differential"))
from support.cluster import random_cluster  # noqa: E402

from ganeti_rules import replay  # noqa: E402

HBAL = [[], ["--evac-mode"], ["--no-disk-moves"], ["--ignore-soft-errors"], ["--search=0.2"], ["--min-disk=0.1"], ["--max-cpu=64"]]
HROLLER = [[flag for flag in flags if flag] for flags in itertools.product(
    ["", "--full-evacuation"], ["", "--offline-maintenance"], ["", "--skip-non-redundant", "--ignore-non-redundant"],
    ["", "--node-tags=power:a,hv:old"], ["", "--one-step-only"])]
HSQUEEZE = [[f"--minimal-resources={least}", f"--target-resources={most}"]
            for least, most in itertools.product(["0.1", "1", "20"], ["0.1", "2", "8"])]


def plans_of(binaries, data, seed):
    rng = random.Random(seed)
    for options in rng.sample(HBAL, 2):
        yield "hbal", options
    for options in rng.sample(HROLLER, 6):
        yield "hroller", ["--force", *options]
    for options in rng.sample(HSQUEEZE, 3):
        yield "hsqueeze", options


class Session:
    def __init__(self, binaries, folder):
        self.binaries, self.folder = binaries, folder
        self.plans = self.steps = 0
        self.actions = {}
        self.faults = []

    def run(self, tool, *words):
        return subprocess.run([str(self.binaries / tool), *words], capture_output=True, text=True, errors="surrogateescape", timeout=120)

    def judge(self, text, plan, what):
        self.plans += 1
        self.steps += len(plan["steps"])
        for step in plan["steps"]:
            self.actions[step["action"]] = self.actions.get(step["action"], 0) + 1
        if (fault := replay(text, plan)) is not None:
            self.faults.append(f"{what}: {fault}\n{text}")

    def cluster(self, seed):
        data = self.folder / "cluster.data"
        data.write_bytes(random_cluster(random.Random(seed)).render())
        text = data.read_bytes().decode("utf-8", "surrogateescape")
        groups = text.split("\n\n")[0].count("\n") + 1
        for tool, options in plans_of(self.binaries, data, seed):
            more = ["--group", "group0"] if tool == "hbal" and groups > 1 else []
            run = self.run(tool, "-t", str(data), *options, *more, "--json")
            what = f"seed {seed}, {tool} {' '.join(options)}"
            if "internal error" in run.stdout + run.stderr:
                self.faults.append(f"{what}: {run.stderr}\n{text}")
            if '"steps"' not in run.stdout:
                continue
            self.judge(text, json.loads(run.stdout), what)
            path = self.folder / "plan.json"
            path.write_text(run.stdout, errors="surrogateescape")
            check = self.run("hplan", "check", "-t", str(data), str(path))
            if check.returncode != 0:
                self.faults.append(f"{what}: hplan check says {check.stdout}{check.stderr}\n{text}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=60)
    parser.add_argument("--first", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        session = Session(options.bin, pathlib.Path(name))
        for seed in range(options.first, options.first + options.seeds):
            session.cluster(seed)
    for fault in session.faults[:5]:
        print(fault, file=sys.stderr)
    told = ", ".join(f"{count} {action}" for action, count in sorted(session.actions.items()))
    print(f"{session.plans} plans with {session.steps} steps ({told}), {len(session.faults)} faults")
    return 1 if session.faults or session.steps < options.seeds else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Plans of hbal, hroller, hsqueeze and hail on random clusters, with every combination of the options that shape them, replayed by an
independent model (ganeti_rules.py), as they are and, where they can be taken back, with what `hplan undo` gives after them. Every plan
must keep the model's rules; `hplan check` must agree. The same with random rules of administrators, which no step makes worse, in the
plan's order or in another one that its waits allow. 1,000 clusters with BALLAST_LONG.
"""
import argparse
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "differential"))
from support.cluster import random_cluster  # noqa: E402

from admin_rules import first_fault, random_rules  # noqa: E402
from ganeti_rules import replay, sections  # noqa: E402

HBAL = [[], ["--evac-mode"], ["--no-disk-moves"], ["--ignore-soft-errors"], ["--search=0.2"], ["--min-disk=0.1"], ["--max-cpu=64"]]
HROLLER = [[flag for flag in flags if flag] for flags in itertools.product(
    ["", "--full-evacuation"], ["", "--offline-maintenance"], ["", "--skip-non-redundant"], ["", "--ignore-non-redundant"],
    ["", "--node-tags=power:a,hv:old"], ["", "--one-step-only"])]
HSQUEEZE = [[f"--minimal-resources={least}", f"--target-resources={most}"]
            for least, most in itertools.product(["0.1", "1", "20"], ["0.1", "2", "8"])]


EVACUATIONS = ["primary-only", "secondary-only", "all"]


def spare_cluster(rng):
    """Shared storage, and more nodes than it needs; some stand by."""
    nodes, rows = rng.randint(2, 7), []
    free = [15872] * nodes
    for n in range(rng.choice([2, 6, 40])):
        node, memory = rng.randrange(nodes), rng.choice([512, 1024, 4096])
        if rng.random() < 0.7 and node > 0:
            node = 0
        if free[node] < memory + 600:
            continue
        status = rng.choice(["running"] * 9 + ["ADMIN_down"])
        free[node] -= memory if status == "running" else 0
        rows.append(f"i{n}|{memory}|1000|1|{status}|Y|n{node}||{'sharedfile' if rng.random() < 0.9 else 'plain'}||1|-|"
                    f"{'Y' if rng.random() < 0.05 else 'N'}")
    used = {row.split("|")[6] for row in rows}
    lines = []
    for n in range(nodes):
        stands_by = n > 0 and f"n{n}" not in used and rng.random() < 0.6
        lines.append(f"n{n}|16384|512|{free[n]}|400000|300000|8|{'M' if n == 0 else 'Y' if stands_by else 'N'}|u|10|"
                     f"{'htools:standby:auto' if stands_by else ''}|N|0|1|1.0")
    policy = "|512,1,1024,1,1,1|128,1,1024,1,1,1;32768,8,1048576,16,8,12|sharedfile,plain|8.0|32.0"
    return "\n".join(["g|u|preferred||", "", *lines, "", *rows, "", "", policy, "g" + policy, ""])


def cluster_of(seed):
    rng = random.Random(seed)
    return spare_cluster(rng) if seed % 3 == 0 else random_cluster(rng).render().decode("utf-8", "surrogateescape")


def runs_of(seed):
    """Tools and options for one cluster; the clusters go through all combinations."""
    rng = random.Random(seed)
    for options in rng.sample(HBAL, 2):
        yield "hbal", options
    for n in range(4):
        yield "hroller", ["--force", *HROLLER[(4 * seed + n) % len(HROLLER)]]
    for n in range(2):
        yield "hsqueeze", HSQUEEZE[(2 * seed + n) % len(HSQUEEZE)]
    yield "hail", [EVACUATIONS[seed % len(EVACUATIONS)]]


def question(instances, mode):
    """Asks hail to evacuate every other instance. Names and places are those of the cluster; the figures are not looked at."""
    limits = {"memory-size": 1, "cpu-count": 1, "disk-size": 1, "disk-count": 1, "nic-count": 1, "spindle-use": 1}
    policy = {"minmax": [{"min": limits, "max": limits}], "std": limits, "disk-templates": ["drbd"], "vcpu-ratio": 4.0, "spindle-ratio": 32.0}
    node = {"total_memory": 1, "reserved_memory": 0, "free_memory": 1, "total_disk": 1, "free_disk": 1, "total_cpus": 1, "reserved_cpus": 1,
            "group": "u", "offline": False, "drained": False, "vm_capable": True, "tags": [], "total_spindles": 1, "free_spindles": 1,
            "ndparams": {"spindle_count": 1, "exclusive_storage": False, "cpu_speed": 1.0}, "primary_ip": "192.0.2.1"}
    known = {}
    for columns in instances:
        known[columns[0]] = {"memory": 1, "vcpus": 1, "disks": [{"size": 1, "mode": "rw"}], "disk_space_total": 1, "disk_template": columns[8],
                             "nodes": [name for name in columns[6:8] if name], "tags": [], "admin_state": "up", "spindle_use": 1,
                             "nics": [], "os": "x", "hypervisor": "kvm"}
    places = {name for one in known.values() for name in one["nodes"]}
    return {"version": 2, "cluster_name": "c", "cluster_tags": [], "enabled_hypervisors": ["kvm"], "ipolicy": policy,
            "nodegroups": {"u": {"name": "g", "alloc_policy": "preferred", "networks": [], "tags": [], "ipolicy": policy}},
            "nodes": {name: node for name in places}, "instances": known,
            "request": {"type": "node-evacuate", "instances": [columns[0] for columns in instances][::2], "evac_mode": mode}}


def names_of(text):
    """Of nodes and instances, where all of them can stand in a rules file and mean one thing each."""
    columns = [[line.split("|")[0] for line in block] for block in sections(text)[1:3]]
    plain = all(name.isascii() and name.replace("-", "").replace(".", "").isalnum() for names in columns for name in names)
    distinct = all(len(set(names)) == len(names) for names in columns)
    return columns if plain and distinct and all(columns) else None


class Session:
    def __init__(self, binaries, folder):
        self.binaries, self.folder = binaries, folder
        self.plans = self.steps = 0
        self.actions, self.tools = {}, {}
        self.faults = []

    def run(self, tool, *words):
        return subprocess.run([str(self.binaries / tool), *words], capture_output=True, text=True, errors="surrogateescape", timeout=120)

    def judge(self, text, what, rules, *plans):
        plan = plans[-1]
        if rules and len(plans) == 1 and (fault := first_fault(text, rules, plan, len(text))) is not None:
            self.faults.append(f"{what}: {fault}\n{json.dumps(rules)}\n{text}")
        self.plans += 1
        self.steps += len(plan["steps"])
        for step in plan["steps"]:
            self.actions[step["action"]] = self.actions.get(step["action"], 0) + 1
        if (fault := replay(text, *plans)) is not None:
            self.faults.append(f"{what}: {fault}\n{text}")

    def plan_of(self, tool, options, data, several_groups):
        """The text of the plan, or none."""
        if tool == "hail":
            return self.evacuation(options[0], options[1:], data)
        more = ["--group", "group0"] if tool == "hbal" and several_groups else []
        run = self.run(tool, "-t", str(data), *options, *more, "--json")
        if "internal error" in run.stdout + run.stderr:
            self.faults.append(f"{tool} {options}: {run.stderr}\n{data.read_text()}")
        return run.stdout if '"steps"' in run.stdout else None

    def evacuation(self, mode, options, data):
        """Of half of the cluster's instances; the document holds little more than the question."""
        lines = data.read_text(errors="surrogateescape").split("\n\n")[2].split("\n")
        instances = [line.split("|") for line in lines if line.count("|") >= 8]  # shorter ones are refused by everybody
        request, plan = self.folder / "request.json", self.folder / "evacuation.json"
        request.write_text(json.dumps(question(instances, mode)), errors="surrogateescape")
        plan.unlink(missing_ok=True)
        self.run("hail", str(request), "-t", str(data), *options, "--plan", str(plan))
        return plan.read_text() if plan.exists() else None

    def cluster(self, seed):
        data = self.folder / "cluster.data"
        text = cluster_of(seed)
        data.write_text(text, errors="surrogateescape")
        groups = text.split("\n\n")[0].count("\n") + 1
        rules, rules_file = [], self.folder / "rules.yaml"
        if seed % 2 and (names := names_of(text)):
            rules = random_rules(random.Random(f"rules {seed}"), *names)
            rules_file.write_text(json.dumps({"rules": rules}), errors="surrogateescape")
        ruled = ["--rules", str(rules_file)] if rules else []
        for tool, options in runs_of(seed):
            what = f"seed {seed}, {tool} {options}{' with rules' if rules else ''}"
            if (told := self.plan_of(tool, [*options, *ruled], data, groups > 1)) is None:
                continue
            plan = json.loads(told)
            self.tools[tool] = self.tools.get(tool, 0) + (len(plan["steps"]) > 0)
            self.judge(text, what, rules, plan)
            path = self.folder / "plan.json"
            path.write_text(told, errors="surrogateescape")
            check = self.run("hplan", "check", "-t", str(data), *ruled, str(path))
            if check.returncode != 0:
                self.faults.append(f"{what}: hplan check says {check.stdout}{check.stderr}\n{text}")
            back = self.run("hplan", "undo", "-t", str(data), *ruled, "--json", str(path)) if plan["steps"] else None
            if back is not None and back.returncode == 0:
                self.judge(text, f"{what}, taken back", [], plan, json.loads(back.stdout))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=1000 if os.environ.get("BALLAST_LONG") else 30)
    parser.add_argument("--first", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        session = Session(options.bin, pathlib.Path(name))
        for seed in range(options.first, options.first + options.seeds):
            session.cluster(seed)
    for fault in session.faults[:5]:
        print(fault, file=sys.stderr)
    told = ", ".join(f"{count} {action}" for action, count in sorted(session.actions.items()))
    print("plans with steps:", ", ".join(f"{count} of {tool}" for tool, count in session.tools.items()))
    print(f"{session.plans} plans with {session.steps} steps ({told}), {len(session.faults)} faults")
    return 1 if session.faults or session.steps < options.seeds or min(session.tools.values()) == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Plans of hfdb and htidb, broken on purpose in one way each: the independent model and `hplan check` must refuse every one, and must
accept the plans as they were. The list is the test: a rule that nobody looks at any more lets its mutant live.
"""
import argparse
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

import fdb_rules
import tidb_rules
from operator_inputs import DATA, inputs_of

DENSITY = DATA / "fdb" / "density"
FIGURES, EXAMPLES, STATE = (DATA / "tidb" / name for name in ("figures", "examples", "state"))
FDB = ["--current", str(DENSITY / "cluster.yaml"), "--kube", str(DENSITY / "pods.json"), "--status", str(DENSITY / "status.json")]
WITH_STORES = ["--pd", str(STATE / "fig5-healthy" / "pd-store.json"), "--now", "2019-03-04T10:00:00Z"]
PD = {"apiVersion": "pingcap.com/v1alpha1", "kind": "TidbCluster", "metadata": {"name": "demo", "namespace": "db"},
      "spec": {"version": "v8.1.0", **{kind: {"baseImage": f"pingcap/{kind}", "replicas": count} for kind, count in
                                       (("pd", 5), ("tikv", 4), ("tidb", 2))}},
      "status": {"pd": {"phase": "Normal", "synced": True, "leader": {"name": "demo-pd-4", "health": True},
                        "members": {f"demo-pd-{n}": {"name": f"demo-pd-{n}", "health": True} for n in range(5)}}}}
PLANS = {
    "density": ("hfdb", [*FDB, "--set", "storageServersPerPod=2"]),
    "anew": ("hfdb", [*FDB, "--set", "automationOptions.podUpdateStrategy=Delete", "--set", "processes.general.podTemplate.spec.priorityClassName=high"]),
    "stores": ("htidb", ["--current", str(FIGURES / "values-fig5.yaml"), "--desired", str(EXAMPLES / "06-desired.yaml"), *WITH_STORES]),
    "upgrade": ("htidb", ["--current", "cluster.json", "--set", "version=v8.1.1", "--now", "2026-03-01T12:00:00Z"]),
    "members": ("htidb", ["--current", "cluster.json", "--set", "pd.replicas=3", "--set", "tikv.replicas=6", "--now", "2026-03-01T12:00:00Z"]),
}


def steps_of(plan, action):
    return [step for step in plan["steps"] if step["action"] == action]


def first(plan, action):
    return steps_of(plan, action)[0]


def renumbered(plan, order):
    numbers = {id(step): n for n, step in enumerate(order, 1)}
    old = {step["n"]: step for step in plan["steps"]}
    for step in order:
        for wait in step.get("waits_for", []):
            if "step" in wait:
                wait["step"] = min(numbers.get(id(old.get(wait["step"])), 1), numbers[id(step)])
        step.pop("unprotected", None)
    plan["steps"] = order
    phase = 1
    for n, step in enumerate(order, 1):
        step["n"] = n
        phase = step["phase"] = max(phase, step["phase"])
    for step in order:
        step["waits_for"] = [wait for wait in step.get("waits_for", []) if "step" not in wait or wait["step"] < step["n"]]
    plan["totals"]["steps"] = len(order)
    plan["totals"]["phases"] = len({step["phase"] for step in order})
    plan["weakest"] = []
    plan["warnings"] = [{**warning, "steps": []} for warning in plan["warnings"]]


def without(plan, *gone):
    renumbered(plan, [step for step in plan["steps"] if all(step is not one for one in gone)])


def put_before(plan, step, other):
    order = [one for one in plan["steps"] if one is not step]
    place = next(n for n, one in enumerate(order) if one is other)
    step["phase"] = other["phase"]
    renumbered(plan, [*order[:place], step, *order[place:]])


def again(plan, step):
    plan["steps"].insert(step["n"], copy.deepcopy(step))
    renumbered(plan, plan["steps"])


def renamed(thing, name):
    thing["subject"]["name"] = name


def only_subject(step):
    step["targets"] = []


def joined(plan, action):
    """All steps of one kind become one."""
    head, *rest = steps_of(plan, action)
    head["targets"] = head.get("targets", []) + [thing for step in rest for thing in [step["subject"], *step.get("targets", [])]]
    without(plan, *rest)


def without_substep(plan, step, word):
    step["substeps"] = [line for line in step["substeps"] if word not in line]


def swapped(plan, action):
    one, other = steps_of(plan, action)[:2]
    one["subject"], other["subject"] = other["subject"], one["subject"]


def together(plan, action):
    one, other = steps_of(plan, action)[:2]
    other["phase"] = one["phase"]
    if "fdb" in one:
        other["fdb"]["after_seconds"] = one["fdb"].get("after_seconds", 0)
    for step in plan["steps"]:
        step["phase"] = min(step["phase"], one["phase"]) if step["n"] <= other["n"] else step["phase"]


def waits(plan):
    return [step for step in plan["steps"] if step["action"] == "wait" and "between-removals" in json.dumps(step)]


def by_component(plan, component, action="restart-pod"):
    return [step for step in steps_of(plan, action) if step["tidb"]["component"] == component]


MUTANTS = [
    ("servers leave that nobody excluded", "density", lambda p: without(p, first(p, "exclude"))),
    ("one of the servers is not excluded", "density", lambda p: first(p, "exclude")["targets"].pop()),
    ("excluded before it is marked", "density", lambda p: put_before(p, first(p, "exclude"), first(p, "mark-for-removal"))),
    ("excluded before its replacement is there", "density", lambda p: put_before(p, first(p, "exclude"), first(p, "create-pod"))),
    ("no replacements are added", "density", lambda p: without(p, first(p, "add-process-group"), first(p, "create-pvc"), first(p, "create-pod"))),
    ("a replacement without a pod", "density", lambda p: first(p, "create-pod")["targets"].pop()),
    ("pods and claims go before the exclusion", "density", lambda p: put_before(p, first(p, "delete-process-group-resources"), first(p, "exclude"))),
    ("all zones are deleted at once", "density", lambda p: joined(p, "delete-process-group-resources")),
    ("no pause between removals", "density", lambda p: (without(p, *waits(p)), together(p, "delete-process-group-resources"))),
    ("another server is deleted", "density", lambda p: renamed(first(p, "delete-process-group-resources"), "log-4")),
    ("a new server is deleted", "density", lambda p: renamed(first(p, "delete-process-group-resources"), "storage-5")),
    ("a server is deleted twice", "density", lambda p: again(p, first(p, "delete-process-group-resources"))),
    ("coordinators stay on what is deleted", "density", lambda p: without(p, first(p, "change-coordinators"))),
    ("coordinators change after the deletion", "density", lambda p: put_before(
        p, first(p, "delete-process-group-resources"), first(p, "change-coordinators"))),
    ("too few coordinators", "density", lambda p: first(p, "change-coordinators")["targets"].clear()),
    ("a coordinator that is on its way out", "density", lambda p: renamed(first(p, "change-coordinators"), "storage-1")),
    ("included while its pod runs", "density", lambda p: put_before(p, first(p, "include"), first(p, "delete-process-group-resources"))),
    ("never included again", "density", lambda p: without(p, first(p, "include"))),
    ("forgotten before it is gone", "density", lambda p: put_before(p, first(p, "drop-process-group"), first(p, "delete-process-group-resources"))),
    ("never forgotten", "density", lambda p: without(p, first(p, "drop-process-group"))),
    ("never deleted", "density", lambda p: without(p, steps_of(p, "delete-process-group-resources")[-1])),
    ("a group that is not there is marked", "density", lambda p: renamed(first(p, "mark-for-removal"), "storage-77")),
    ("a server that should stay is marked", "density", lambda p: first(p, "mark-for-removal")["targets"].append(
        {"kind": "process_group", "name": "log-4", "group": "log"})),
    ("a group that is there is added", "density", lambda p: renamed(first(p, "add-process-group"), "storage-1")),
    ("something that is no step of the operator", "density", lambda p: first(p, "include").update(action="wipe-disk")),
    ("pods of two zones are made anew at once", "anew", lambda p: joined(p, "delete-pod")),
    ("the next zone goes before the first is back", "anew", lambda p: without(p, first(p, "create-pod"))),
    ("a pod is deleted and not made again", "anew", lambda p: without(p, steps_of(p, "create-pod")[-1])),
    ("a pod is deleted twice", "anew", lambda p: again(p, first(p, "delete-pod"))),
    ("a pod is made that is there", "anew", lambda p: put_before(p, first(p, "create-pod"), first(p, "delete-pod"))),
    ("a pod of a group that is not there", "anew", lambda p: renamed(first(p, "delete-pod"), "storage-77")),
    ("a pod goes with its claim", "anew", lambda p: first(p, "delete-pod").update(action="delete-process-group-resources")),
    ("a store is not told to go", "stores", lambda p: without_substep(p, first(p, "scale-in"), "delete store")),
    ("a store is not waited for", "stores", lambda p: without_substep(p, first(p, "scale-in"), "Tombstone")),
    ("a pod goes before its store", "stores", lambda p: first(p, "scale-in")["substeps"].insert(0, first(p, "scale-in")["substeps"].pop())),
    ("the gate of the Tombstone is gone", "stores", lambda p: first(p, "scale-in").update(waits_for=[{"text": "pod is gone"}])),
    ("the gate of the pod is gone", "stores", lambda p: first(p, "scale-in")["waits_for"].pop()),
    ("two stores at a time", "stores", lambda p: together(p, "scale-in")),
    ("the lower pod first", "stores", lambda p: swapped(p, "scale-in")),
    ("another set shrinks", "stores", lambda p: (renamed(first(p, "scale-in"), "demo-tikv-2"), first(p, "scale-in")["subject"].update(group="tikv/default"))),
    ("a pod that is not there", "stores", lambda p: renamed(first(p, "scale-in"), "demo-tikv-name-2-7")),
    ("a set is deleted with a pod in it", "stores", lambda p: without(p, steps_of(p, "scale-in")[-1])),
    ("a set is deleted first", "stores", lambda p: put_before(p, first(p, "delete-statefulset"), first(p, "scale-in"))),
    ("numbers that do not follow", "stores", lambda p: first(p, "scale-in")["after"].update(replicas=0)),
    ("TiKV before PD", "upgrade", lambda p: put_before(p, by_component(p, "tikv")[0], by_component(p, "pd")[0])),
    ("TiDB before TiKV", "upgrade", lambda p: put_before(p, by_component(p, "tidb")[0], by_component(p, "tikv")[0])),
    ("lower ordinals first", "upgrade", lambda p: swapped(p, "restart-pod")),
    ("two pods of PD at a time", "upgrade", lambda p: together(p, "restart-pod")),
    ("a pod restarts twice", "upgrade", lambda p: again(p, by_component(p, "tikv")[0])),
    ("leaders are not evicted", "upgrade", lambda p: without_substep(p, by_component(p, "tikv")[0], "evict leaders")),
    ("leaders are evicted afterwards", "upgrade", lambda p: by_component(p, "tikv")[0]["substeps"].reverse()),
    ("a pod that is not there restarts", "upgrade", lambda p: renamed(by_component(p, "tikv")[0], "demo-tikv-9")),
    ("PD leaves before its leader moves", "members", lambda p: without_substep(p, first(p, "scale-in"), "transfer leader")),
    ("a member is never deleted", "members", lambda p: without_substep(p, first(p, "scale-in"), "delete member")),
    ("a member is deleted after its pod", "members", lambda p: first(p, "scale-in")["substeps"].reverse()),
    ("PD shrinks further than wished", "members", lambda p: again(p, steps_of(p, "scale-in")[-1])),
    ("PD shrinks less than wished", "members", lambda p: without(p, steps_of(p, "scale-in")[-1])),
    ("the lower member first", "members", lambda p: swapped(p, "scale-in")),
    ("two members at a time", "members", lambda p: together(p, "scale-in")),
    ("a store is added that is there", "members", lambda p: renamed(first(p, "scale-out"), "demo-tikv-1")),
    ("a store is left out", "members", lambda p: without(p, steps_of(p, "scale-out")[0])),
]


class Bench:
    def __init__(self, binaries, folder):
        self.binaries, self.folder = binaries, folder
        (folder / "cluster.json").write_text(json.dumps(PD))
        self.plans = {}
        for name, (tool, words) in PLANS.items():
            run = self.run(tool, "plan", *words, "--json")
            self.plans[name] = json.loads(run.stdout)

    def run(self, *words):
        return subprocess.run([str(self.binaries / words[0]), *words[1:]], capture_output=True, text=True, cwd=self.folder, check=False)

    def model_says(self, name, plan):
        tool, words = PLANS[name]
        rules = fdb_rules if tool == "hfdb" else tidb_rules
        return rules.replay(inputs_of(words, self.folder), plan)

    def hplan_says(self, name, plan):
        path = self.folder / "plan.json"
        path.write_text(json.dumps(plan))
        words = [word for word in PLANS[name][1]]
        run = self.run("hplan", "check", *words, "--json", str(path))
        document = json.loads(run.stdout or "{}")
        if run.returncode == 0:
            return None
        return "; ".join(one["text"] for one in document.get("problems", [])) or document.get("message") or document.get("summary") or run.stderr.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--list", action="store_true", help="list the mutants with what is said about each")
    options = parser.parse_args()
    faults = []
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(options.bin.resolve(), pathlib.Path(scratch))
        for name, plan in bench.plans.items():
            for judge in (bench.model_says, bench.hplan_says):
                if (told := judge(name, plan)) is not None:
                    faults.append(f"the plan {name} as it is, {judge.__name__}: {told}")
        for title, name, mutate in MUTANTS:
            mutant = copy.deepcopy(bench.plans[name])
            try:
                mutate(mutant)
            except (StopIteration, IndexError, KeyError, ValueError) as error:
                faults.append(f"{title}: cannot be made from the plan {name} ({error!r})")
                continue
            for judge in (bench.model_says, bench.hplan_says):
                told = judge(name, mutant)
                if options.list:
                    print(f"{title}, {judge.__name__}: {told or 'ALIVE'}")
                if told is None:
                    faults.append(f"{title}: {judge.__name__} nothing")
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(MUTANTS)} mutants, {len(faults)} faults")
    return 1 if faults or len(MUTANTS) < 40 else 0


if __name__ == "__main__":
    sys.exit(main())

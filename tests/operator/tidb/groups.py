#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Plans of htidb for groups against what the updater of TiDB Operator v2.0.0 was seen to do, scenario by scenario.

The scenarios (recorded_v2/*.jsonl, one a line) hold one group as htidb reads it, an edit, and the actions of the operator pass by
pass. Equal means: the same instances are added, restarted, marked and removed in each phase of the plan as in the pass of the
operator in that place, without order among themselves. Names of new instances are random on both sides."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
OPERATOR = {"scale-out": "out", "update": "restart", "offline": "in", "delete": "in", "defer-delete": "mark", "cancel-offline": "cancel"}
PLAN = {"scale-out": "out", "restart-pod": "restart", "scale-in": "in", "mark-instance": "mark"}


def name_in(record, name):
    """The random part of an instance's name; "new" where the scenario does not begin with it."""
    last = name.rsplit("-", 1)[-1]
    known = {item["metadata"]["name"].rsplit("-", 1)[-1] for item in record["kube"]["items"]}
    return last if last in known else "new"


def passes_of(record):
    """What the operator did, pass by pass. A store goes offline first and is deleted later: it is removed once."""
    offline = set()
    for one in record["passes"]:
        actions = []
        for action in one["actions"]:
            if action["do"] == "delete" and action["name"] in offline:
                continue
            if action["do"] == "offline":
                offline.add(action["name"])
            actions.append((OPERATOR[action["do"]], name_in(record, action["name"])))
        if actions:
            yield sorted(actions)


def phases_of(record, plan):
    phases = {}
    for step in plan["steps"]:
        if step["tidb"]["component"] == record["component"] and step["action"] in PLAN:
            phases.setdefault(step["phase"], []).append((PLAN[step["action"]], name_in(record, step["subject"]["name"])))
    return [sorted(phases[phase]) for phase in sorted(phases)]


def documents(folder, name, value):
    path = pathlib.Path(folder) / f"{name}.json"
    texts = [json.dumps(one) for one in value] if name in ("current", "desired") else [json.dumps(value)]
    path.write_text("---\n" + "\n---\n".join(texts) + "\n" if len(texts) > 1 else texts[0], encoding="utf-8")
    return str(path)


def plan_of(program, record):
    with tempfile.TemporaryDirectory() as folder:
        words = [str(program), "plan", "--profile", "v2", "--now", record["now"], "--allow-unsafe", "--stuck-after", "30s", "--json"]
        for name in ("current", "desired", "kube"):
            words += [f"--{name}", documents(folder, name, record[name])]
        for name, value in record["pd"].items():
            words += ["--pd", documents(folder, name, value)]
        run = subprocess.run(words, capture_output=True, text=True, check=False)
    return json.loads(run.stdout) if run.returncode in (0, 3) else {"error": run.stdout + run.stderr}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True, help="folder of htidb")
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    total = different = 0
    for path in args.files or sorted(HERE.glob("recorded_v2/*.jsonl")):
        for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            plan = plan_of(pathlib.Path(args.bin) / "htidb", record)
            operator = list(passes_of(record))
            ours = phases_of(record, plan) if "steps" in plan else plan
            total += 1
            if ours != operator:
                different += 1
                print(f"seed {record['seed']} ({record['component']}):\n  operator {operator}\n  plan     {ours}")
    print(f"{total} groups, {different} different")
    return 1 if different or not total else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Plans of hbal, hroller and hsqueeze, broken on purpose in one way each: `hplan check` must refuse every one of them (a step that does
not hold, or a plan that cannot be read), and must accept the plans as they were. The list is the test: a rule that nobody checks any
more lets its mutant live.
"""
import argparse
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

POLICY = "|128,1,1024,1,1,1|128,1,1024,1,1,1;32768,8,1048576,16,8,12|drbd,plain,sharedfile|8.0|32.0"


def node(name, memory, disk, flag="N", tags=""):
    return f"{name}|16384|512|{memory}|400000|{disk}|16|{flag}|u|10|{tags}|N|0|1|1.0"


def instance(name, memory, disk, primary, secondary="", template="drbd", status="running"):
    return f"{name}|{memory}|{disk}|1|{status}|Y|{primary}|{secondary}|{template}||1|-|N"


def cluster(nodes, instances):
    return "\n".join(["g|u|preferred||", "", *nodes, "", *instances, "", "", POLICY, ""])


CROWDED = cluster(
    [node("n0", 3584, 360000, "M"), node("n1", 15872, 360000), node("n2", 15872, 400000), node("n3", 15872, 400000),
     node("full", 100, 200), node("off", 15872, 400000, "Y")],
    [instance("a", 4096, 10000, "n0", "n1"), instance("b", 4096, 10000, "n0", "n1"), instance("c", 2048, 10000, "n0", "n1"),
     instance("d", 2048, 10000, "n0", "n1"), instance("big", 15772, 199800, "full", "", "plain")])
RACK = cluster(
    [node("n0", 12800, 380000, "M"), node("n1", 14848, 390000), node("n2", 14848, 390000), node("n3", 15872, 400000),
     node("off", 15872, 400000, "Y")],
    [instance("a", 1024, 10000, "n0", "n1"), instance("b", 1024, 10000, "n1", "n2"), instance("lone", 1024, 10000, "n0", "", "plain"),
     instance("s", 1024, 0, "n2", "", "sharedfile"), instance("t", 1024, 0, "n0", "", "sharedfile")])
SPARE = cluster(
    [node("n0", 14848, 400000, "M"), node("n1", 14848, 400000), node("n2", 15872, 400000), node("n3", 14848, 400000),
     node("off", 15872, 400000, "Y")],
    [instance("s", 1024, 0, "n0", "", "sharedfile"), instance("t", 1024, 0, "n1", "", "sharedfile"),
     instance("v", 1024, 0, "n3", "", "sharedfile")])

PLANS = {"balance": (CROWDED, ["hbal", "--min-gain-limit=0"]),
         "reboots": (RACK, ["hroller", "--full-evacuation"]),
         "stops": (RACK, ["hroller", "--offline-maintenance", "--ignore-non-redundant"]),
         "squeeze": (SPARE, ["hsqueeze", "--minimal-resources=0.1", "--target-resources=0.1"])}


def steps_with(plan, *actions):
    return [step for step in plan["steps"] if step["action"] in actions]


def moves(plan):
    return [step for step in plan["steps"] if "from" in step]


def mirrored(plan):
    return next(step for step in moves(plan) if "secondary" in step["from"])


def lone(plan):
    return next(step for step in moves(plan) if "secondary" not in step["from"])


def without(plan, step):
    """Numbers close up; waits for the step go."""
    gone = step["n"]
    plan["steps"].remove(step)
    for other in plan["steps"]:
        other["n"] -= other["n"] > gone
        other["waits_for"] = [wait for wait in other.get("waits_for", []) if wait.get("step") != gone]
        for wait in other["waits_for"]:
            if "step" in wait:
                wait["step"] -= wait["step"] > gone
        for open_end in other.get("unprotected", []):
            if "until_step" in open_end:
                open_end["until_step"] -= open_end["until_step"] > gone


def renumbered(plan, order):
    plan["steps"] = order
    for number, step in enumerate(order, 1):
        step["n"] = number
        step.pop("waits_for", None)
        step.pop("unprotected", None)


def moved_to(plan, step, index):
    order = [one for one in plan["steps"] if one is not step]
    order.insert(index, step)
    step["phase"] = order[index - 1]["phase"] if index > 0 else 1
    renumbered(plan, order)


def added(plan, step, index=None):
    order = list(plan["steps"])
    place = len(order) if index is None else index
    step = copy.deepcopy(step)
    if index is not None:
        step["phase"] = order[min(place, len(order) - 1)]["phase"]
    order.insert(place, step)
    renumbered(plan, order)


def consistent(plan):
    """What a plan says of itself follows the mutation: it is to be refused for its steps, not for its sums."""
    plan["totals"]["steps"] = len(plan["steps"])
    plan["warnings"] = []
    plan["weakest"] = []


def node_step(plan, action, name, phase=None):
    last = plan["steps"][-1]["phase"] if plan["steps"] else 1
    return {"n": 0, "phase": phase or last + 1, "action": action, "subject": {"kind": "node", "name": name},
            "reason": {"code": "X", "text": "x"}, "commands": []}


def set_(container, key, value):
    container[key] = value


def reboot_of(plan, name):
    return next(step for step in steps_with(plan, "reboot") if step["subject"]["name"] == name)


def first_reboot(plan):
    return steps_with(plan, "reboot")[0]


def emptying_move(plan):
    """The first move of what runs off a node before that reboots."""
    first = first_reboot(plan)
    return next(step for step in moves(plan) if step["n"] < first["n"] and step["from"]["primary"] == first["subject"]["name"])


def merge_phases(plan):
    for step in plan["steps"]:
        step["phase"] = 1
    reboots = steps_with(plan, "reboot")
    renumbered(plan, reboots)


def drop_waits(plan):
    """A step on a node may run while another one uses that node."""
    power, mover = next((power, step) for power in steps_with(plan, "power_off") for step in moves(plan)
                        if step["from"]["primary"] == power["subject"]["name"])
    power["phase"] = mover["phase"]
    order = plan["steps"][:mover["n"]] + [power] + [step for step in plan["steps"][mover["n"]:] if step is not power]
    for step in order[mover["n"] + 1:]:
        step["phase"] = max(step["phase"], power["phase"] + 1)
    renumbered(plan, order)


MUTANTS = [
    ("an instance that is not there", "balance", lambda p: set_(moves(p)[0]["subject"], "name", "nobody")),
    ("a node that is not there", "balance", lambda p: set_(moves(p)[0]["to"], "primary", "nowhere")),
    ("a secondary that is not there", "balance", lambda p: set_(mirrored(p)["to"], "secondary", "nowhere")),
    ("from another primary", "balance", lambda p: set_(mirrored(p)["from"], "primary", "n3")),
    ("from another secondary", "balance", lambda p: set_(mirrored(p)["from"], "secondary", "n3")),
    ("to where it is", "balance", lambda p: set_(mirrored(p), "to", dict(mirrored(p)["from"]))),
    ("primary and secondary on one node", "balance", lambda p: set_(mirrored(p), "to", {"primary": "n2", "secondary": "n2"})),
    ("both nodes left at once", "balance", lambda p: set_(mirrored(p), "to", {"primary": "n2", "secondary": "n3"})),
    ("to a node that is off", "balance", lambda p: set_(mirrored(p), "to", {"primary": "off", "secondary": mirrored(p)["from"]["secondary"]})),
    ("a mirror on a node that is off", "balance", lambda p: set_(mirrored(p), "to", {"primary": mirrored(p)["from"]["primary"], "secondary": "off"})),
    ("into memory that is not there", "balance", lambda p: set_(mirrored(p), "to", {"primary": "full", "secondary": mirrored(p)["from"]["secondary"]})),
    ("onto a disk that is full", "balance", lambda p: set_(mirrored(p), "to", {"primary": mirrored(p)["from"]["primary"], "secondary": "full"})),
    ("no place before", "balance", lambda p: mirrored(p).pop("from")),
    ("no place after", "balance", lambda p: mirrored(p).pop("to")),
    ("a mirror lost on the way", "balance", lambda p: mirrored(p)["to"].pop("secondary")),
    ("a place that is no text", "balance", lambda p: set_(mirrored(p)["to"], "primary", 7)),
    ("no primary", "balance", lambda p: mirrored(p)["to"].pop("primary")),
    ("a step made twice", "balance", lambda p: added(p, moves(p)[0], 1)),
    ("the last step again", "balance", lambda p: added(p, moves(p)[-1])),
    ("something that is neither instance nor node", "balance", lambda p: set_(moves(p)[0]["subject"], "kind", "pod")),
    ("a move of a node", "balance", lambda p: set_(moves(p)[0]["subject"], "kind", "node")),
    ("a score that the step does not give", "balance", lambda p: set_(moves(p)[0]["ganeti"], "score_after", 0.5)),
    ("steps that are numbered wrongly", "balance", lambda p: set_(p["steps"][0], "n", 9)),
    ("a wait for a later step", "balance", lambda p: set_(p["steps"][0], "waits_for", [{"step": len(p["steps"]), "text": "x"}])),
    ("an unknown key", "balance", lambda p: set_(p["steps"][0], "sudo", True)),
    ("the master switched off", "balance", lambda p: added(p, node_step(p, "power_off", "n0"))),
    ("a node with instances switched off", "balance", lambda p: added(p, node_step(p, "power_off", "n1"))),
    ("a node with instances switched off first", "balance", lambda p: added(p, node_step(p, "power_off", "n1", 1), 0)),
    ("a running node switched on", "balance", lambda p: added(p, node_step(p, "power_on", "n1"))),
    ("a node that runs something rebooted", "balance", lambda p: added(p, node_step(p, "reboot", "full"))),
    ("something unknown done to a node", "balance", lambda p: added(p, node_step(p, "remove", "n3"))),
    ("a mirror for what has none", "reboots", lambda p: set_(lone(p)["to"], "secondary", "n3")),
    ("a node that is not there rebooted", "reboots", lambda p: set_(first_reboot(p)["subject"], "name", "nowhere")),
    ("a node that is off rebooted", "reboots", lambda p: set_(first_reboot(p)["subject"], "name", "off")),
    ("a node that was not emptied", "reboots", lambda p: without(p, emptying_move(p))),
    ("rebooted before it is empty", "reboots", lambda p: moved_to(p, reboot_of(p, "n0"), 0)),
    ("moved onto the node that reboots", "reboots", lambda p: added(p, {**copy.deepcopy(lone(p)), "from": {"primary": "n2"}, "to": {
        "primary": first_reboot(p)["subject"]["name"]}, "subject": {"kind": "instance", "name": "s"}}, first_reboot(p)["n"] - 1)),
    ("both nodes of a mirror rebooted together", "stops", merge_phases),
    ("another action on the rebooted node", "reboots", lambda p: set_(first_reboot(p), "action", "format")),
    ("an instance that nobody stops", "stops", lambda p: without(p, steps_with(p, "stop")[0])),
    ("stopped after the reboot", "stops", lambda p: moved_to(p, steps_with(p, "stop")[0], steps_with(p, "reboot")[-1]["n"] - 1)),
    ("started before the reboot", "stops", lambda p: moved_to(p, steps_with(p, "start")[0], first_reboot(p)["n"] - 1)),
    ("stopped and never started again", "stops", lambda p: renumbered(
        p, [step for step in p["steps"] if step is not steps_with(p, "start")[-1]])),
    ("a move by another word", "balance", lambda p: set_(mirrored(p), "action", "replace_secondary" if mirrored(p)["action"] != "replace_secondary"
                                                         else "migrate")),
    ("a move that says reboot", "reboots", lambda p: set_(moves(p)[0], "action", "reboot")),
    ("a move that says switch on", "squeeze", lambda p: set_(moves(p)[0], "action", "power_on")),
    ("stopped in a way that is none", "stops", lambda p: set_(steps_with(p, "stop")[0], "action", "halt")),
    ("another instance stopped", "stops", lambda p: set_(steps_with(p, "stop")[0]["subject"], "name", "s")),
    ("switched off with an instance on it", "squeeze", lambda p: without(p, moves(p)[0])),
    ("switched off twice", "squeeze", lambda p: added(p, steps_with(p, "power_off")[0])),
    ("switched off before the move", "squeeze", lambda p: moved_to(p, next(
        step for step in steps_with(p, "power_off") if step["subject"]["name"] == moves(p)[0]["from"]["primary"]), 0)),
    ("moved onto a node that is to be switched off", "squeeze", lambda p: set_(
        moves(p)[0]["to"], "primary", next(step["subject"]["name"] for step in steps_with(p, "power_off")
                                           if step["subject"]["name"] != moves(p)[0]["from"]["primary"]))),
    ("the master instead of a spare node", "squeeze", lambda p: set_(steps_with(p, "power_off")[0]["subject"], "name", "n0")),
    ("switched off while something leaves", "squeeze", drop_waits),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--list", action="store_true", help="list the mutants with what is said about each")
    options = parser.parse_args()
    faults = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        plans = {}

        def check(of, plan):
            path, data = folder / "plan.json", folder / f"{of}.data"
            path.write_text(json.dumps(plan))
            run = subprocess.run([str(options.bin / "hplan"), "check", "-t", str(data), "--json", str(path)], capture_output=True, text=True)
            document = json.loads(run.stdout or "{}")
            told = [f"step {one['step']} {one['text']}" for one in document.get("problems", [])]
            return told or ([document.get("message") or run.stderr.strip()] if run.returncode == 1 else [])

        for of, (text, command) in PLANS.items():
            data = folder / f"{of}.data"
            data.write_text(text)
            run = subprocess.run([str(options.bin / command[0]), "-t", str(data), *command[1:], "--json"], capture_output=True, text=True)
            plans[of] = json.loads(run.stdout)
            if told := check(of, plans[of]):
                faults.append(f"the plan {of} as it is: {told}")
        for title, of, mutate in MUTANTS:
            mutant = copy.deepcopy(plans[of])
            try:
                mutate(mutant)
                consistent(mutant)
            except (StopIteration, IndexError, KeyError) as error:
                faults.append(f"{title}: cannot be made from the plan {of} ({error!r})")
                continue
            told = check(of, mutant)
            if told and not told[0].startswith("step"):
                faults.append(f"{title}: refused, but not for a step: {told[0]}")
            if options.list:
                print(f"{title}: {told[0] if told else 'ALIVE'}")
            if not told:
                faults.append(f"{title}: hplan check finds nothing")
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(MUTANTS)} mutants, {len(faults)} faults")
    return 1 if faults or len(MUTANTS) < 40 else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""gnt-instance, gnt-node, gnt-cluster and ssh of a cluster that is a file: $FAKE_WORLD, written by run.py.

$FAKE_LATE: so many looks after a change still show the state before it. $FAKE_STUCK: nothing that is done to this instance or node ever shows.
$FAKE_FAIL: a command that contains this text fails. Every command but looks is written to $FAKE_CALLS.
"""
import json
import os
import pathlib
import sys

WORLD = pathlib.Path(os.environ["FAKE_WORLD"])


def fields_of(world, tool, name):
    """What `list` prints of an instance or a node, by field."""
    if tool == "gnt-instance":
        here = world["instances"][name]
        return {"pnode": here["nodes"][0], "snodes": (here["nodes"] + [""])[1], "status": here["status"]}
    places = [one["nodes"] for one in world["instances"].values()]
    return {"offline": "Y" if name in world["offline"] else "N", "pinst_cnt": str(sum(nodes[0] == name for nodes in places)),
            "sinst_cnt": str(sum(name in nodes[1:] for nodes in places))}


def look(world, tool, words):
    separator = next((word.split("=")[1] for word in words if word.startswith("--separator=")), " ")
    name = words[-1]
    shown = world["shown"].get(name)
    if shown and shown["looks"] > 0:
        shown["looks"] -= 1
        return separator.join(shown["fields"][field] for field in words[words.index("-o") + 1].split(","))
    fields = fields_of(world, tool, name)
    return separator.join(fields[field] for field in words[words.index("-o") + 1].split(","))


def change(world, tool, words):
    verb, name = words[0], words[-1]
    if tool == "gnt-node":
        name = words[1] if verb in ("add-tags", "remove-tags") else name
        if verb == "modify":
            (world["offline"].append if "--offline=yes" in words else world["offline"].remove)(name)
        return name
    here = world["instances"][name]
    nodes = here["nodes"]
    if verb in ("migrate", "failover") and "-n" not in words:
        here["nodes"] = nodes[::-1]
    elif verb in ("migrate", "failover", "move"):
        here["nodes"] = [words[words.index("-n") + 1]]
    elif verb == "replace-disks":
        here["nodes"] = [nodes[0], words[words.index("-n") + 1]]
    elif verb in ("shutdown", "startup"):
        here["status"] = "ADMIN_down" if verb == "shutdown" else "running"
    else:
        sys.exit(f"fake: unknown command {tool} {' '.join(words)}")
    return name


def main():
    tool, words = pathlib.Path(sys.argv[0]).name, sys.argv[1:]
    world = json.loads(WORLD.read_text())
    line = " ".join([tool, *words])
    if tool == "ssh":
        is_look = "shutdown" not in line
    else:
        is_look = words[0] in ("list", "info", "verify-disks")
    if not is_look:
        with open(os.environ["FAKE_CALLS"], "a", encoding="utf-8") as calls:
            calls.write(line + "\n")
    fail = os.environ.get("FAKE_FAIL")
    if fail and fail in line:
        sys.exit(f"{tool}: fake failure")
    if tool == "ssh":
        host = next(word for word in words if not word.startswith("-") and word != "ConnectTimeout=5")
        sys.exit(1 if is_look and host == os.environ.get("FAKE_STUCK") else 0)
    if is_look:
        if words[0] == "list":
            print(look(world, tool, words))
        elif words[0] == "info":
            print("  on primary: /dev/drbd0 in sync, status ok")
    else:
        name = words[-1] if tool == "gnt-instance" else words[1]
        before = fields_of(world, tool, words[1] if tool == "gnt-node" and words[0].endswith("-tags") else words[-1])
        name = change(world, tool, words)
        late = 10**9 if name == os.environ.get("FAKE_STUCK") else int(os.environ.get("FAKE_LATE", "0"))
        world["shown"][name] = {"looks": late, "fields": before}
    WORLD.write_text(json.dumps(world))


main()

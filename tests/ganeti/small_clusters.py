#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Every Ganeti tool and every form of its output on clusters of 0, 1 and 2 nodes, with and without instances and storage units.

A table: clusters x commands. What is asked for: an end by an exit status (no signal, no failed library assertion: run it on a build
with them), no internal error, JSON that parses, no figure that is no number, and no power-off or reboot of what is not there.
Every cell of the table with BALLAST_LONG or --stride 1; else each command on a few of the clusters. Exit status 1 where one fails.
"""
import argparse
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

UNITS = "|300000,400000,drbd8,ssd;300000,400000,lvm-vg,ssd;90,250,file,/srv/a;500,900,sharedfile,pool"
POLICY = "|128,1,1024,1,1,1|128,1,1024,1,1,1;2048,4,16384,16,8,12|drbd,plain,sharedfile,diskless|4.0|32.0"


def instances_of(nodes, kind, with_units):
    if kind == "none" or nodes == 0:
        return []
    disks = {"plain": "5000,lvm-vg,ssd", "sharedfile": "100,sharedfile,pool", "diskless": "", "drbd": "5000,drbd8,ssd"}
    shapes = {"plain": ["plain"], "mixed": ["plain", "sharedfile", "diskless"] + (["drbd"] if nodes > 1 else [])}[kind]
    rows = []
    for n, shape in enumerate(shapes):
        secondary = "n1" if shape == "drbd" else ""
        row = f"i{n}|1024|5000|1|running|Y|n0|{secondary}|{shape}||1|-|N"
        rows.append(row + ("|" + disks[shape] if with_units else ""))
    return rows


def cluster(nodes, kind, with_units, exclusive, offline):
    rows = instances_of(nodes, kind, with_units)
    lines = []
    for n in range(nodes):
        used = 1024 * len(rows) if n == 0 else 0
        is_off = offline and n == nodes - 1
        lines.append(f"n{n}|16384|512|{15872 - used}|400000|300000|8|{'Y' if is_off else 'M' if n == 0 else 'N'}|u|10|"
                     f"{'htools:standby:auto' if is_off else ''}|{'Y' if exclusive else 'N'}|{5 if exclusive else 0}|1|1.0"
                     + (UNITS if with_units else ""))
    return "\n".join(["g|u|preferred||", "", *lines, "", *rows, "", "", POLICY, "g" + POLICY, ""])


def request(folder, nodes):
    """An allocator request whose own cluster is empty: -t gives the cluster."""
    document = {"cluster_tags": [], "instances": {}, "nodes": {}, "enabled_hypervisors": ["kvm"], "ipolicy": {},
                "nodegroups": {"u": {"name": "g", "alloc_policy": "preferred", "networks": [], "tags": [], "ipolicy": {
                    "minmax": [{"min": {"memory-size": 128, "cpu-count": 1, "disk-size": 1024, "disk-count": 1, "nic-count": 1, "spindle-use": 1},
                                "max": {"memory-size": 2048, "cpu-count": 4, "disk-size": 16384, "disk-count": 16, "nic-count": 8,
                                        "spindle-use": 12}}],
                    "std": {"memory-size": 128, "cpu-count": 1, "disk-size": 1024, "disk-count": 1, "nic-count": 1, "spindle-use": 1},
                    "disk-templates": ["drbd", "plain"], "vcpu-ratio": 4.0, "spindle-ratio": 32.0}}},
                "request": {"type": "allocate", "name": "new", "memory": 512, "vcpus": 1, "disk_space_total": 1152, "required_nodes": nodes,
                            "disks": [{"size": 1024, "mode": "rw"}], "disk_template": "drbd" if nodes == 2 else "plain", "nics": [],
                            "os": "x", "tags": [], "spindle_use": 1, "hypervisor": "kvm"}}
    path = folder / f"request{nodes}.json"
    path.write_text(json.dumps(document))
    return path


def commands(data, folder):
    page = folder / "page.html"
    own = [["--json"], ["--report", str(page)]]
    for extra in [[], ["-C"], ["-p"], ["--print-instances"], ["-v", "-v", "-v"], *own, ["--search=0.1"], ["--explain", "i0"],
                  ["--explain", "node=n0"], ["--explain", "group"], ["--repair"], ["--repair", "--json"],
                  ["--format", "html"], ["--format", "shell"], ["--format", "markdown"], ["--add-node", "g,1,500g,16g,8"],
                  ["--make-room", "memory=1g"], ["--make-room", "memory=1g", "--json"], ["--only-storage", "drbd8/ssd"], ["--evac-mode"], ["-S", str(folder / "saved")]]:
        yield ["hbal", "-t", data, *extra]
    for flags in itertools.product(["", "--full-evacuation"], ["", "--offline-maintenance"],
                                   ["", "--skip-non-redundant", "--ignore-non-redundant"], ["", "--one-step-only"]):
        options = [flag for flag in flags if flag]
        yield ["hroller", "-t", data, *options, "--print-moves", "--json"]
        yield ["hroller", "-t", data, *options, "--force", "-v", "-v", "-v"]
    for least, most in itertools.product(["0.1", "2", "1000"], repeat=2):
        for extra in [[], ["-C"], *own]:
            yield ["hsqueeze", "-t", data, f"--minimal-resources={least}", f"--target-resources={most}", *extra]
    for extra in [[], ["-v", "-v", "-v"], ["--machine-readable"], ["--doctor"], ["--what-if", "node=n0"], ["--json"], ["--doctor", "--json"],
                  ["--what-if", "each"], ["--what-if", "most", "--json"], ["--what-if", "leave=1"], ["--what-if", "tier=i*:drbd8/ssd"],
                  ["--add-node", "g,2,500g,16g,8"], ["--format", "html"], ["--doctor", "--format", "html"], ["--metrics", str(page)]]:
        yield ["hcheck", "-t", data, *extra]
    for extra in [[], ["-v", "-v", "-v"], ["-p"], ["--print-instances"], ["--json"]]:
        yield ["hinfo", "-t", data, *extra]
    for extra in [[], ["-v", "-v", "-v"], ["-p"], ["--machine-readable"], ["--json"], ["--explain"], ["--tiered-alloc", "5000,512,2"],
                  ["--disk-template", "plain"], ["--disk-template", "sharedfile"]]:
        yield ["hspace", "-t", data, *extra]
    for nodes in (1, 2):
        for extra in [[], ["--explain"], ["-v", "-v", "-v"], ["--no-capacity-checks"]]:
            yield ["hail", str(folder / f"request{nodes}.json"), "-t", data, *extra]


def complaint(command, data, run):
    text = run.stdout + run.stderr
    if run.returncode < 0 or run.returncode > 5:
        return f"ended with status {run.returncode}"
    for word in ("internal error", "Assertion", "terminate called", "Sanitizer"):
        if word in text:
            return f"says {word!r}"
    if "--json" in command and run.stdout:
        try:
            document = json.loads(run.stdout)
        except ValueError as error:
            return f"its JSON does not parse: {error}"
        for step in document.get("steps", []):
            if step["action"] in ("power_off", "reboot") and step["subject"]["name"] not in data:
                return f"{step['action']} of {step['subject']['name']}, which is not there"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--stride", type=int, default=1 if os.environ.get("BALLAST_LONG") else 8, help="run every STRIDE-th cell")
    options = parser.parse_args()
    count = cell = 0
    faults = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for nodes in (1, 2):
            request(folder, nodes)
        table = itertools.product((0, 1, 2), ("none", "plain", "mixed"), (False, True), (False, True), (False, True))
        for row in table:
            nodes, kind, with_units, exclusive, offline = row
            if nodes == 0 and (kind != "none" or offline or exclusive or with_units):
                continue
            text = cluster(*row)
            data = folder / "cluster.data"
            data.write_text(text)
            for command in commands(str(data), folder):
                cell += 1
                if cell % options.stride != 0:
                    continue
                run = subprocess.run([str(options.bin / command[0]), *command[1:]], capture_output=True, text=True, timeout=60)
                count += 1
                if (why := complaint(command, text, run)) is not None:
                    faults.append(f"{why}: {' '.join(command)}\n{text}{run.stderr[-600:]}")
    for fault in faults[:10]:
        print(fault, file=sys.stderr)
    print(f"{count} runs, {len(faults)} of them wrong")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

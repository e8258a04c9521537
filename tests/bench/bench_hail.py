#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""bench_hail.py --bin DIR [--reference DIR] [--limit SECONDS] [ROW...]: hail on made-up clusters with 10 instances a node, whole
processes, as a Markdown table.

A row is KIND-TEMPLATE-NODES: allocate-drbd-160, allocate-ext-640, evacuate-drbd-40 (one node, mode "all"). Without rows a fixed list
runs. The reference is measured where its folder is given and it ends within the limit of CPU seconds; rows in which it takes hours
are not tried.
"""
import json
import pathlib
import random
import sys
import tempfile

import measured

KINDS = ("allocate-drbd", "allocate-ext", "evacuate-drbd")
ROWS = [f"{kind}-{nodes}" for kind in KINDS for nodes in (40, 160, 640, 2500)]
SPEC = ("memory-size", "cpu-count", "disk-size", "disk-count", "nic-count", "spindle-use")
MOST_NODES_OF_REFERENCE = {"allocate-drbd": 640, "allocate-ext": 160, "evacuate-drbd": 160}


def spec(*values):
    return dict(zip(SPEC, values))


def node():
    return {"offline": False, "drained": False, "group": "g", "vm_capable": True, "tags": [],
            "ndparams": {"exclusive_storage": False, "spindle_count": 1}, "total_spindles": 0, "free_spindles": 0,
            "total_memory": 65536, "reserved_memory": 1024, "free_memory": 64512, "total_disk": 2000000, "free_disk": 2000000,
            "total_cpus": 32, "reserved_cpus": 1}


def description(template, memory, disk, cpus):
    return {"disk_space_total": disk, "disks": [{"size": disk - (128 if template == "drbd" else 0), "mode": "rw"}], "memory": memory,
            "vcpus": cpus, "tags": [], "disk_template": template, "spindle_use": 1, "os": "noop", "hypervisor": "kvm", "nics": []}


def make(kind, template, count):
    rng = random.Random(count)
    nodes = {f"node{i:05}": node() for i in range(count)}
    names, instances = list(nodes), {}
    for i in range(10 * count):
        item = description(template, rng.choice([1024, 2048, 4096]), rng.choice([20480, 40960, 102400, 204800]), rng.choice([1, 2, 4]))
        primary, secondary = rng.sample(names, 2)
        while nodes[primary]["free_memory"] - item["memory"] < 12000:
            primary, secondary = rng.sample(names, 2)
        nodes[primary]["free_memory"] -= item["memory"]
        item["nodes"] = [primary, secondary] if template == "drbd" else [primary]
        for name in item["nodes"] if template == "drbd" else []:
            nodes[name]["free_disk"] = max(300000, nodes[name]["free_disk"] - item["disk_space_total"])
        instances[f"inst{i:06}"] = {**item, "admin_state": "up"}
    if kind == "allocate":
        request = {"type": "allocate", "name": "new", "required_nodes": 2 if template == "drbd" else 1, **description(template, 2048, 20480, 1)}
    else:
        request = {"type": "node-evacuate", "evac_mode": "all", "instances": [k for k, v in instances.items() if names[3] in v["nodes"]]}
    policy = {"minmax": [{"min": spec(128, 1, 1024, 1, 0, 1), "max": spec(65536, 16, 1048576, 16, 8, 12)}], "std": spec(128, 1, 1024, 1, 1, 1),
              "disk-templates": ["drbd", "plain", "ext"], "vcpu-ratio": 64.0, "spindle-ratio": 64.0}
    group = {"name": "default", "alloc_policy": "preferred", "networks": [], "tags": [], "ipolicy": policy}
    return {"cluster_tags": [], "enabled_hypervisors": ["xen-pvm"], "nodegroups": {"g": group}, "nodes": nodes, "instances": instances,
            "request": request}


def cells(result):
    return [f"{result.cpu:.3g}", f"{result.mib:.0f}"] if result else ["-", "-"]


def comparison(ours, theirs):
    if not (ours and theirs):
        return ["-", "-"]
    return [f"{theirs.cpu / max(ours.cpu, 0.001):.0f}", "yes" if ours.output == theirs.output else "NO"]


def parse_row(row):
    kind, _, nodes = row.rpartition("-")
    if kind not in KINDS or not nodes.isdigit() or int(nodes) < 3:
        sys.exit(f"bench: row {row!r}: KIND-TEMPLATE-NODES expected, KIND-TEMPLATE one of {', '.join(KINDS)}")
    return kind, int(nodes)


def main():
    parser = measured.parser(__doc__, 600)
    parser.add_argument("rows", nargs="*")
    args = parser.parse_args()
    print("| request | nodes | document MB | ours CPU s | MiB | reference CPU s | MiB | times faster | equal answers |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "request.json"
        for row in args.rows or ROWS:
            kind, nodes = parse_row(row)
            path.write_text(json.dumps(make(*kind.split("-"), nodes)))
            ours = measured.run([pathlib.Path(args.bin) / "hail", path], args.limit)
            is_tried = args.reference and nodes <= MOST_NODES_OF_REFERENCE[kind]
            theirs = measured.run([pathlib.Path(args.reference) / "hail", path], args.limit) if is_tried else None
            size = f"{path.stat().st_size / 1e6:.1f}"
            print("|", " | ".join([kind, str(nodes), size, *cells(ours), *cells(theirs), *comparison(ours, theirs)]), "|", flush=True)


if __name__ == "__main__":
    sys.exit(main())

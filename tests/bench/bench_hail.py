#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""hail.py --bin DIR [--reference HTOOLS] [--limit SECONDS] [--row KIND-TEMPLATE-NODES]...: CPU seconds of whole hail processes on made-up
clusters with 10 instances a node, as a Markdown table. KIND: allocate, evacuate. The reference is only run up to 160 nodes.
"""
import argparse
import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

ROWS = [f"{kind}-{template}-{nodes}" for kind, template in (("allocate", "drbd"), ("allocate", "ext"), ("evacuate", "drbd"))
        for nodes in (40, 160, 640)] + ["allocate-drbd-2500", "allocate-ext-2500"]
SPEC = ("memory-size", "cpu-count", "disk-size", "disk-count", "nic-count", "spindle-use")
MOST_NODES_OF_REFERENCE = 160


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


def measure(program, path, limit):
    """(CPU seconds, standard output), or None past the limit."""
    environment = {k: v for k, v in os.environ.items() if k != "HTOOLS"}
    process = subprocess.Popen([program, path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)))
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    return None if status else (usage.ru_utime + usage.ru_stime, output)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--reference")
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--row", action="append")
    args = parser.parse_args()
    print("| request | nodes | document MB | ours, s | reference, s | answers |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        path, link = pathlib.Path(folder) / "request.json", pathlib.Path(folder) / "hail"
        if args.reference:
            link.symlink_to(args.reference)
        for row in args.row or ROWS:
            kind, template, nodes = row.split("-")
            path.write_text(json.dumps(make(kind, template, int(nodes))))
            ours = measure(pathlib.Path(args.bin) / "hail", path, args.limit)
            theirs = measure(link, path, args.limit) if args.reference and int(nodes) <= MOST_NODES_OF_REFERENCE else None
            same = "" if not (ours and theirs) else "equal" if ours[1] == theirs[1] else "DIFFER"
            print(f"| {kind} {template} | {nodes} | {path.stat().st_size / 1e6:.1f} | {ours[0]:.3f} | " if ours else f"| {row} | | | - | ",
                  f"{theirs[0]:.2f}" if theirs else "-", f" | {same} |", sep="", flush=True)


if __name__ == "__main__":
    sys.exit(main())

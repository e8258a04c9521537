#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes a random cluster in the text format to standard output: same arguments, same bytes.

make_cluster.py NODES INSTANCES [--seed N] [--kind KIND] [--storage]

Kinds: drbd (all mirrored, placed at random), mixed (a fair mix of templates and node sizes, exclusion tags on some),
new (a tenth of the nodes is empty), half (half of the nodes is empty), skewed (three node sizes), drained (two nodes
are offline). Memory is filled to 60 per cent or less and disk to 55, and no node fails N+1.
"""
import argparse
import sys

SIZES = [(1024, 10240, 1), (2048, 20480, 1), (4096, 51200, 2), (8192, 102400, 4)]
WEIGHTS = [45, 30, 17, 8]


class Random:
    """splitmix64, so that the bytes depend on no library."""

    def __init__(self, seed):
        self.state = seed & (2**64 - 1)

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & (2**64 - 1)
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & (2**64 - 1)
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & (2**64 - 1)
        return z ^ (z >> 31)

    def below(self, bound):
        return self.next() % bound

    def weighted(self, weights):
        point = self.below(sum(weights))
        for index, weight in enumerate(weights):
            if point < weight:
                return index
            point -= weight
        return len(weights) - 1


class Node:
    def __init__(self, index, factor):
        self.name = f"node{index + 1}.example.com"
        self.factor = factor
        self.empty = False
        self.offline = False
        self.memory_used = 0
        self.disk_used = 0
        self.cpus_used = 1
        self.peers = {}
        self.units_used = {}


def make_nodes(args, rnd):
    nodes = []
    for index in range(args.nodes):
        factor = 1.0
        if args.kind in ("mixed", "skewed"):
            factor = (0.7, 1.0, 1.6)[rnd.weighted([30, 50, 20])]
        nodes.append(Node(index, factor))
    empty = {"new": args.nodes // 10, "half": args.nodes // 2}.get(args.kind, 0)
    for node in nodes[args.nodes - empty:]:
        node.empty = True
    return nodes


def template_of(args, rnd):
    if args.kind != "mixed":
        return "drbd"
    return ("drbd", "plain", "rbd", "sharedfile")[rnd.weighted([70, 10, 12, 8])]


def make_instances(args, rnd):
    instances = []
    for index in range(args.instances):
        memory, disk, cpus = SIZES[rnd.weighted(WEIGHTS)]
        tags = ""
        if args.kind == "mixed" and rnd.below(10) < 2:
            tags = f"svc:{rnd.below(max(1, args.instances // 8))}"
        unit = "ssd" if rnd.below(10) < 3 else "hdd"
        instances.append({"name": f"inst{index + 1}.example.com", "memory": memory, "disk": disk, "cpus": cpus,
                          "template": template_of(args, rnd), "tags": tags, "unit": unit})
    return instances


def place(args, rnd, nodes, instances, total_memory, total_disk):
    hosts = [node for node in nodes if not node.empty]

    def fits(node, memory, disk, peer, need):
        reserve = max([0] + [v + (need if k == peer else 0) for k, v in node.peers.items()] + [need])
        return (node.memory_used + memory + reserve < 0.95 * total_memory * node.factor
                and node.disk_used + disk < 0.95 * total_disk * node.factor)

    for inst in instances:
        for _ in range(1000):
            primary = hosts[rnd.below(len(hosts))]
            secondary = hosts[rnd.below(len(hosts))] if inst["template"] == "drbd" else None
            if secondary is primary:
                continue
            local = inst["disk"] if inst["template"] in ("drbd", "plain") else 0
            if not fits(primary, inst["memory"], local, None, 0):
                continue
            if secondary is not None and not fits(secondary, 0, local, primary.name, inst["memory"]):
                continue
            break
        else:
            sys.exit(f"no room for {inst['name']}")
        primary.memory_used += inst["memory"]
        primary.cpus_used += inst["cpus"]
        primary.disk_used += local
        primary.units_used[inst["unit"]] = primary.units_used.get(inst["unit"], 0) + local
        if secondary is not None:
            secondary.disk_used += local
            secondary.units_used[inst["unit"]] = secondary.units_used.get(inst["unit"], 0) + local
            secondary.peers[primary.name] = secondary.peers.get(primary.name, 0) + inst["memory"]
        inst["primary"], inst["secondary"] = primary, secondary


def storage_column(node, disk):
    entries = []
    for unit, share in (("hdd", 0.8), ("ssd", 0.5)):
        total = int(disk * share)
        entries.append(f"{max(0, total - node.units_used.get(unit, 0))},{total},drbd8,{unit}")
        entries.append(f"{max(0, total - node.units_used.get(unit, 0))},{total},lvm-vg,{unit}")
    return "|" + ";".join(entries)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("nodes", type=int)
    parser.add_argument("instances", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", default="drbd", choices=["drbd", "mixed", "new", "half", "skewed", "drained"])
    parser.add_argument("--storage", action="store_true")
    args = parser.parse_args()
    rnd = Random(args.seed)
    nodes = make_nodes(args, rnd)
    instances = make_instances(args, rnd)
    hosts = sum(node.factor for node in nodes if not node.empty)
    total_memory = int(sum(i["memory"] for i in instances) / 0.6 / hosts / 1024 + 1) * 1024
    copies = sum(i["disk"] * {"drbd": 2, "plain": 1}.get(i["template"], 0) for i in instances)
    total_disk = int(copies / 0.55 / hosts / 1024 + 1) * 1024
    place(args, rnd, nodes, instances, total_memory, total_disk)
    if args.kind == "drained":
        for node in nodes[:2]:
            node.offline = True
    out = ["default|uuid-default|preferred||", ""]
    for node in nodes:
        memory = int(total_memory * node.factor)
        disk = int(total_disk * node.factor)
        line = (f"{node.name}|{memory}|0|{memory - node.memory_used}|{disk}|{disk - node.disk_used}|"
                f"{int(16 * node.factor)}|{'Y' if node.offline else 'N'}|uuid-default|8||N|0|1|1.0")
        out.append(line + (storage_column(node, disk) if args.storage else ""))
    out.append("")
    types = {"drbd": "drbd8", "plain": "lvm-vg", "rbd": "rados", "sharedfile": "sharedfile"}
    for inst in instances:
        secondary = inst["secondary"].name if inst["secondary"] else ""
        line = (f"{inst['name']}|{inst['memory']}|{inst['disk']}|{inst['cpus']}|running|Y|{inst['primary'].name}|"
                f"{secondary}|{inst['template']}|{inst['tags']}|1|-|N")
        if args.storage:
            line += f"|{inst['disk']},{types[inst['template']]},{inst['unit']}"
        out.append(line)
    out.append("")
    if args.kind == "mixed":
        out.append("htools:iextags:svc")
    out += ["", "|128,1,1024,1,1,1|128,1,1024,1,1,1;32768,8,1048576,16,8,12|"
            "diskless,file,sharedfile,plain,blockdev,drbd,rbd,ext,gluster|4.0|32.0"]
    sys.stdout.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes a cluster that is a known number of moves away from a balanced one, in the text format: same arguments, same bytes.

make_scrambled.py NODES MOVES [--seed N] [--kind equal|sizes|tags|storage] [--end]

In the balanced cluster all nodes hold the same: running instances on shared storage, and mirrored ones that are offline, so
that nothing is reserved for them and the score is 0, which nothing is below. MOVES random moves lead away from it, of instances that
are all different, to where there is room and exclusion tags hold. The reverse moves lead back, so that many steps and as many bytes
suffice. Kinds: all nodes alike; a quarter of the nodes and what is on them twice as large; exclusion tags on a tenth of the
instances; storage units. --end writes the balanced cluster. Standard error says what the way back costs: MOVES STEPS MIB.
"""
import argparse
import sys

from make_cluster import Random

SIZES = [(1024, 10240, 1), (2048, 20480, 1), (4096, 51200, 2), (8192, 102400, 4), (1024, 10240, 1)]
MEMORY, DISK = 40960, 1024000
POOL = 10**9  # MiB that all nodes share
KINDS = ["equal", "sizes", "tags", "storage"]


class Cluster:
    """Where everything is; nodes by index."""

    def __init__(self, nodes, kind):
        self.factor = [2 if kind == "sizes" and n % 4 == 3 else 1 for n in range(nodes)]
        self.instances = []
        self.memory = [0] * nodes
        self.disk = [0] * nodes
        self.tags = [set() for _ in range(nodes)]
        for n in range(nodes):
            for place, size in enumerate(SIZES):
                size = tuple(figure * self.factor[n] for figure in size)
                self.add(n, None, size, kind)
                self.add(n, self.partner(n, place), size, kind)

    def partner(self, node, place):
        """Of the same size and as far ahead for all, so that each is the secondary of as many as it has."""
        alike = [n for n in range(len(self.factor)) if self.factor[n] == self.factor[node]]
        return alike[(alike.index(node) + 1 + place % (len(alike) - 1)) % len(alike)]

    def add(self, primary, secondary, size, kind):
        index = len(self.instances)
        tag = f"svc:{primary // 2}" if kind == "tags" and index % 10 == 0 else ""
        self.instances.append({"size": size, "tag": tag, "primary": primary, "secondary": secondary})
        self.put(self.instances[-1], 1)

    def put(self, inst, sign):
        primary, secondary = inst["primary"], inst["secondary"]
        memory, disk, _ = inst["size"]
        if secondary is None:
            self.memory[primary] += sign * memory
        else:
            self.disk[primary] += sign * disk
            self.disk[secondary] += sign * disk
        if inst["tag"]:
            (self.tags[primary].add if sign > 0 else self.tags[primary].discard)(inst["tag"])

    def is_sound(self, node):
        return (self.memory[node] < 0.9 * MEMORY * self.factor[node]
                and self.disk[node] < 0.9 * DISK * self.factor[node])

    def move(self, inst, primary, secondary):
        """False: not allowed, and nothing is changed."""
        old = inst["primary"], inst["secondary"]
        self.put(inst, -1)
        is_free = not inst["tag"] or inst["tag"] not in self.tags[primary]
        inst["primary"], inst["secondary"] = primary, secondary
        self.put(inst, 1)
        if is_free and all(map(self.is_sound, {*old, primary, secondary} - {None})):
            return True
        self.put(inst, -1)
        inst["primary"], inst["secondary"] = old
        self.put(inst, 1)
        return False


def scramble(cluster, moves, rnd):
    """MiB of the way back: a failover copies nothing, a new node of a mirrored instance takes its disk."""
    nodes, mib, done, moved = len(cluster.factor), 0, 0, set()
    while done < moves:
        index = rnd.below(len(cluster.instances))
        inst = cluster.instances[index]
        target = rnd.below(nodes)
        primary, secondary = inst["primary"], inst["secondary"]
        if index in moved or target in (primary, secondary):
            continue
        places = [(secondary, primary), (primary, target), (target, secondary), (target, primary), (secondary, target)]
        kind = rnd.weighted([10, 40, 20, 15, 15])
        if cluster.move(inst, *((target, None) if secondary is None else places[kind])):
            moved.add(index)
            done += 1
            mib += 0 if secondary is None or kind == 0 else inst["size"][1]
    return mib


def write(cluster, kind):
    out = ["default|uuid-default|preferred||", ""]
    for n, factor in enumerate(cluster.factor):
        memory, disk = MEMORY * factor, DISK * factor
        line = (f"node{n + 1}|{memory}|0|{memory - cluster.memory[n]}|{disk}|{disk - cluster.disk[n]}|{16 * factor}|N|"
                f"uuid-default|8||N|0|{factor}|1.0")
        free = disk - cluster.disk[n]
        out.append(line + (f"|{free},{disk},drbd8,vg;{free},{disk},lvm-vg,vg;{POOL},{POOL},ext,pool" if kind == "storage" else ""))
    out.append("")
    for i, inst in enumerate(cluster.instances):
        memory, disk, cpus = inst["size"]
        is_shared = inst["secondary"] is None
        where = f"running|Y|node{inst['primary'] + 1}||ext" if is_shared else (
            f"ADMIN_offline|Y|node{inst['primary'] + 1}|node{inst['secondary'] + 1}|drbd")
        line = f"inst{i + 1}|{memory}|{disk}|{cpus}|{where}|{inst['tag']}|1|-|N"
        out.append(line + (f"|{disk},{'ext,pool' if is_shared else 'drbd8,vg'}" if kind == "storage" else ""))
    out += ["", "htools:iextags:svc" if kind == "tags" else "", "",
            "|128,1,1024,1,1,1|128,1,1024,1,1,1;32768,8,1048576,16,8,12|drbd,ext|4.0|32.0"]
    sys.stdout.write("\n".join(out) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nodes", type=int)
    parser.add_argument("moves", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", default="equal", choices=KINDS)
    parser.add_argument("--end", action="store_true")
    args = parser.parse_args()
    cluster = Cluster(args.nodes, args.kind)
    mib = scramble(cluster, 0 if args.end else args.moves, Random(args.seed))
    write(cluster, args.kind)
    print(args.moves, args.moves, mib, file=sys.stderr)


main()

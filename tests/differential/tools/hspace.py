# SPDX-License-Identifier: BSD-2-Clause
"""Snapshots and simulated clusters that are filled: policies of every shape, tiers, limits, groups, verbosities, saved files."""
import random

from support import breakage, cluster, runner

TEMPLATES = ["drbd"] * 4 + ["plain"] * 4 + ["ext", "rbd", "file", "sharedfile", "gluster", "blockdev", "diskless"]
MEMORIES = [128, 256, 512, 700, 1024, 2048, 4096]
DISKS = [256, 1024, 3000, 10240, 20480]
SIZES = ["1g", "512m", "10240", "2G", "300M", "0x400", "20GB", "4gib", "1t", "700"]
WRONG = [["extra"], ["-O", "nowhere", "-O", "also-nowhere"], ["--disk-template=floppy"], ["--spindle-use=-1"], ["--spindle-use=x"],
         ["--machine-readable=maybe"], ["--max-cpu=0"], ["--max-length=1x"], ["--standard-alloc=1g,1g"], ["--tiered-alloc=1g,x,1"],
         ["--tiered-alloc=1.5g,1g,1"], ["--standard-alloc=1g,1g,3x"], ["--standard-alloc=1g,1g,1,"], ["--tiered-alloc="],
         ["--simulate=x,1,10g,2g,2"], ["--simulate=p,1,10g"], ["--simulate="], ["-Sno/such/folder"], ["-z"], ["-t", "no-such-file"]]


def spec(rng, scale=1):
    return [rng.choice(MEMORIES) * scale, rng.choice([1, 2, 4]), rng.choice(DISKS) * scale, 1, 1, rng.choice([1, 1, 2, 4])]


def policy(rng, owner):
    """A line whose standard and largest specs are of a size that fits a few times."""
    ranges = []
    for _ in range(rng.choice([1, 1, 1, 2, 3, 0])):
        largest = spec(rng, rng.choice([1, 1, 2]))
        least = [min(a, b) for a, b in zip(largest, [128, 1, 256, 1, 1, 1])]
        ranges += [least, largest]
    text = ";".join(",".join(map(str, one)) for one in ranges)
    templates = ",".join(rng.sample(sorted(set(TEMPLATES)), rng.randint(1, 4)))
    return [owner, ",".join(map(str, spec(rng))), text, templates, rng.choice(["4.0", "16", "1", "0.5", "-1"]),
            rng.choice(["32.0", "8", "1", "NaN"])]


def text_case(rng):
    snapshot = cluster.random_cluster(rng)
    if rng.random() < 0.4:
        snapshot.instances = snapshot.instances[:rng.randint(0, 3)]
    if rng.random() < 0.85:
        common = policy(rng, "")
        snapshot.ends_with_policies = True
        snapshot.policies = [common]
        for group in snapshot.groups:
            snapshot.policies.append([group[0]] + (common[1:] if rng.random() < 0.7 else policy(rng, "")[1:]))
    words = [["-t", "cluster.data"]]
    if snapshot.nodes and rng.random() < 0.2:
        words.append(["-O", rng.choice(snapshot.node_names())])
    if rng.random() < 0.1:
        snapshot = breakage.break_cluster(rng, snapshot)
    return {"cluster.data": snapshot}, words


def simulated_case(rng):
    words = []
    for _ in range(rng.choice([1, 1, 2, 3])):
        fields = [rng.choice(["p", "preferred", "a", "last_resort", "u"]), str(rng.choice([0, 1, 2, 3, 5, 8])),
                  rng.choice(["20g", "100g", "200000", "1t"]), rng.choice(["4g", "16384", "10000", "32GB"]),
                  str(rng.choice([2, 4, 8, 16]))]
        if rng.random() < 0.4:
            fields.append(str(rng.choice([1, 2, 6, 0])))
            if rng.random() < 0.5:
                fields.append(rng.choice(["True", "False", "False"]))
        words.append(["--simulate=" + ",".join(fields)])
    if rng.random() < 0.9:  # the usual sizes take the reference long
        words += [[f"--tiered-alloc={wish(rng)}"], [f"--standard-alloc={wish(rng)}"]]
    if rng.random() < 0.2:
        words.append(["-O", f"node-01-00{rng.randint(1, 4)}"])
    if rng.random() < 0.03:
        words.append([rng.choice(["--standard-alloc=1g,0,1", "--tiered-alloc=1g,0,1"])])
    return {}, words


def wish(rng):
    parts = [rng.choice(SIZES), rng.choice(SIZES[:4] + ["100", "64", "2048"]), str(rng.choice([1, 1, 2, 8]))]
    return ",".join(parts + ([str(rng.choice([1, 2, 4]))] if rng.random() < 0.3 else []))


def options(rng):
    draw = [
        (0.25, lambda: ["--machine-readable"]), (0.03, lambda: ["--machine-readable=no"]), (0.5, lambda: ["-v"]), (0.4, lambda: ["-v"]),
        (0.4, lambda: ["-v"]), (0.1, lambda: ["-q"]), (0.1, lambda: ["-q"]), (0.2, lambda: ["-p"]), (0.05, lambda: ["-pname,mfree,dfree"]),
        (0.45, lambda: ["--disk-template=" + rng.choice(TEMPLATES)]), (0.1, lambda: ["--spindle-use=" + rng.choice(["0", "1", "3"])]),
        (0.3, lambda: ["--no-capacity-checks"]), (0.25, lambda: ["--independent-groups"]), (0.35, lambda: ["--accept-existing-errors"]),
        (0.15, lambda: ["--max-cpu=" + rng.choice(["1", "0.3", "64"])]), (0.15, lambda: ["--min-disk=" + rng.choice(["0.1", "0.5", "-1"])]),
        (0.2, lambda: ["-l", rng.choice(["0", "1", "2", "5", "12", "30", "-1", "-3"])]), (0.12, lambda: ["--standard-alloc=" + wish(rng)]),
        (0.12, lambda: ["--tiered-alloc=" + wish(rng)]), (0.2, lambda: ["-S", "out"]),
    ]
    return [make() for probability, make in draw if rng.random() < probability]


def case(seed):
    rng = random.Random(f"hspace{seed}")
    files, words = simulated_case(rng) if rng.random() < 0.3 else text_case(rng)
    words += options(rng)
    if rng.random() < 0.06:
        words.append(rng.choice(WRONG))
    rng.shuffle(words)
    return runner.Case("hspace", seed, files, words, merged=rng.random() < 0.1)

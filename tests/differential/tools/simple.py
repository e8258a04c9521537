# SPDX-License-Identifier: BSD-2-Clause
"""What the cases of the smaller Ganeti tools share: a random cluster, some options of one list, now and then a broken cluster."""
import random

from support import breakage, cluster, runner


def some_node(rng, snapshot):
    names = snapshot.node_names()
    return ["-O", rng.choice(names)] if names else ["-v"]


def some_group(rng, snapshot):
    return ["-G", rng.choice(snapshot.groups)[rng.choice([0, 1])]] if snapshot.groups else ["-v"]


def case(tool, seed, options, wrong, always=()):
    """`options`: word lists, or functions of (rng, snapshot) that give one."""
    rng = random.Random(f"{tool}{seed}")
    snapshot = cluster.random_cluster(rng)
    chosen = [option for option in options if rng.random() < 0.3]
    chosen = [option(rng, snapshot) if callable(option) else option for option in chosen] + [list(word) for word in always if rng.random() < 0.9]
    rng.shuffle(chosen)
    kind = rng.random()
    if kind < 0.15:
        snapshot = breakage.break_cluster(rng, snapshot)
    elif kind < 0.2:
        chosen = [rng.choice(wrong)] + chosen[:1]
    return runner.Case(tool, seed, {"cluster.data": snapshot}, [["-t", "cluster.data"]] + chosen)

# SPDX-License-Identifier: BSD-2-Clause
"""Rows of option choices such that every pair of choices of two options occurs in some row."""
import functools
import itertools
import random

TRIES = 40


@functools.lru_cache(maxsize=None)
def cover(counts):
    """counts: how many choices each option has. Returns rows, each a tuple of choice indices."""
    rng = random.Random(len(counts) * 7919 + sum(counts))
    missing = {(a, i, b, j) for a, b in itertools.combinations(range(len(counts)), 2)
               for i in range(counts[a]) for j in range(counts[b])}
    rows = []
    while missing:
        best = max((candidate(counts, missing, rng) for _ in range(TRIES)), key=lambda row: len(pairs(row) & missing))
        missing -= pairs(best)
        rows.append(best)
    return rows


def pairs(row):
    return {(a, row[a], b, row[b]) for a, b in itertools.combinations(range(len(row)), 2)}


def candidate(counts, missing, rng):
    row = [rng.randrange(count) for count in counts]
    a, i, b, j = min(missing) if rng.random() < 0.3 else rng.choice(sorted(missing)[:200])
    row[a], row[b] = i, j
    return tuple(row)

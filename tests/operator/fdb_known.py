# SPDX-License-Identifier: BSD-2-Clause
"""The reviewed list of differences from the operator. Each entry: a name, why, when it applies, and what it takes out of both outcomes.

An entry excuses only what it takes out: everything else of the scenario must be equal."""
import dataclasses
import typing


@dataclasses.dataclass(frozen=True)
class Difference:
    name: str
    reason: str
    applies: typing.Callable  # (scenario, plan, theirs, ours) -> bool
    without: typing.Callable  # (scenario, theirs, ours) -> (theirs, ours)


DIFFERENCES = []

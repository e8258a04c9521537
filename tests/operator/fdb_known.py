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


def noted_as_sick(plan):
    return {warning["subject"]["name"] for warning in plan["warnings"] if warning["code"] == "left-unhealthy"}


def stays_sick(scenario, plan, theirs, ours):
    """The operator ends with groups that keep a condition, and the plan, which does what is wished, notes each of them."""
    left = {group for group, conditions in scenario["left"].items() if "marked" not in conditions}
    return theirs.end == "stuck" and ours.end == "reconciled" and bool(left) and left == noted_as_sick(plan)


def same_end(_scenario, theirs, ours):
    return theirs._replace(end=ours.end), ours


DIFFERENCES = [
    Difference(
        "a sick group stays sick",
        "the operator never calls such a cluster reconciled; a plan that does all that is wished ends well and notes the group that was sick before",
        stays_sick,
        same_end,
    ),
]

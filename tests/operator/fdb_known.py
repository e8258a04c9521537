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


def stops_before_the_exclusion(_scenario, plan, _theirs, ours):
    return ours.end == "stuck" and any(block["code"] == "zone-shortage" for block in plan["blocked"])


def without_what_follows(_scenario, theirs, ours):
    """Nothing from the exclusion on that ours does not have."""
    passes, mine = [], sum(effect.action == "exclude" for effects in ours.passes for effect in effects)
    for effects in theirs.passes:
        kept = []
        for effect in effects:
            mine -= effect.action == "exclude"
            if mine < 0:
                return theirs._replace(passes=passes + ([kept] if kept else []), end=ours.end, ended=()), ours._replace(ended=())
            kept.append(effect)
        passes.append(kept)
    return theirs, ours


DIFFERENCES = [
    Difference(
        "too few zones for the copies",
        "the operator excludes whatever the wished count asks for, and the database then has nowhere to put its copies; a plan stops before, "
        "and goes on with --allow-unsafe",
        stops_before_the_exclusion,
        without_what_follows,
    ),
    Difference(
        "a sick group stays sick",
        "the operator never calls such a cluster reconciled; a plan that does all that is wished ends well and notes the group that was sick before",
        stays_sick,
        same_end,
    ),
]

# SPDX-License-Identifier: BSD-2-Clause
"""The reviewed list of differences from the operator. Each entry: a name, why, when it applies, and what it takes out of both outcomes.

An entry excuses only what it takes out: everything else of the scenario must be equal."""
import dataclasses
import typing

from fdb_effects import excluded_at_the_start, leaving_at_the_start


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


def only_prolongs(effects):
    return bool(effects) and all(effect.action == "set-maintenance" for effect in effects)


def is_held_for_ever(_scenario, plan, theirs, _ours):
    return only_prolongs(theirs.passes[-1] if theirs.passes else []) and any(block["code"] == "held-pods" for block in plan["blocked"])


def without_prolonging(_scenario, theirs, ours):
    passes = list(theirs.passes)
    while passes and only_prolongs(passes[-1]):
        passes.pop()
    return theirs._replace(passes=passes), ours


def moves_no_data(scenario, _plan, theirs, _ours):
    """Excluded before the start, still with the roles of storage servers, and the operator waits for them without end."""
    marked = leaving_at_the_start(scenario)
    keep_roles = {process["locality"].get("instance_id") for process in scenario["status"]["cluster"]["processes"].values() if process.get("roles")}
    return not theirs.passes and theirs.end == "stuck" and bool(scenario["left"]) and set(scenario["left"]) <= (
        marked & excluded_at_the_start(scenario) & keep_roles)


def without_the_leaving(scenario, theirs, ours):
    """Neither has what becomes of the groups that stay for want of room."""
    left = set(scenario["left"])
    passes = [[effect for effect in effects if not set(effect.targets) <= left] for effects in ours.passes]
    ended = tuple((action, targets) for action, targets in ours.ended if not set(targets) <= left)
    return theirs, ours._replace(passes=[effects for effects in passes if effects], end=theirs.end, ended=ended)


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
    Difference(
        "pods that a finalizer holds",
        "the operator deletes them again and again, and prolongs the maintenance of their zone each time; a plan stops there and says so",
        is_held_for_ever,
        without_prolonging,
    ),
    Difference(
        "data that does not move",
        "whether the database gets rid of the data of excluded servers is its own affair; a plan takes it that it does, the recorded one did not",
        moves_no_data,
        without_the_leaving,
    ),
]

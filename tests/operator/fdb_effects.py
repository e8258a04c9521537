# SPDX-License-Identifier: BSD-2-Clause
"""What the operator did and what hfdb says it does, in one form.

An outcome is a list of passes and an end. Passes without an effect do not count: when a pass comes is a matter of clocks and events, what it does
and after what is not. A pass is the list of its effects in their order: (reconciler, action, targets in ID order, detail). The end is "reconciled" or
"stuck". Compared are: which effects there are, in which pass, in which order within the pass, with which targets; of configurations, coordinators and
the config map also the detail.

Not compared, because nobody can observe them from outside or because they are no effects: the fields of the status other than the
process groups, events, waits, and the names of new pods' nodes. A second `exclude` that only confirms a finished exclusion is no effect either."""
import typing

NOT_EFFECTS = {"set-status", "wait", "blocked", "verify-exclusion"}
PARTS_OF_REMOVAL = {"remove-pod", "remove-pvc", "remove-service"}
REMOVAL = "delete-process-group-resources"
NODE_OF_A_NEW_POD = "+foundationdb.org/current-node"
WITH_DETAIL = {"configure-database", "update-configmap"}


class Effect(typing.NamedTuple):
    reconciler: str
    action: str
    targets: tuple
    detail: str = ""

    def __str__(self):
        return " ".join(part for part in (self.action, ",".join(self.targets), self.detail) if part)


class Outcome(typing.NamedTuple):
    passes: list
    end: str


def in_order(detail):
    """The words of a detail in alphabetical order."""
    return " ".join(sorted(detail.replace(",", " ").split()))


def joined(effects):
    """Neighbours that are parts of one thing as one."""
    result = []
    for effect in effects:
        last = result[-1] if result else None
        if last and (last.reconciler, last.action, last.detail) == (effect.reconciler, effect.action, effect.detail) and effect.targets:
            result[-1] = last._replace(targets=tuple(sorted(set(last.targets + effect.targets))))
        else:
            result.append(effect)
    return result


def kept(passes):
    return [effects for effects in map(joined, passes) if effects]


def leaving_at_the_start(scenario):
    return {group["processGroupID"] for group in scenario["cluster"]["status"]["processGroups"] if "removalTimestamp" in group}


def without_leaving(passes, leaving):
    """The files of groups that leave are not brought up to date: the operator only notes the new hash in their pods."""
    leaving, result = set(leaving), []
    for effects in passes:
        kept_effects = []
        for effect in effects:
            if effect.action == "mark-for-removal":
                leaving.update(effect.targets)
            if effect.action == "sync-pod-config":
                effect = effect._replace(targets=tuple(t for t in effect.targets if t not in leaving))
                if not effect.targets:
                    continue
            kept_effects.append(effect)
        result.append(kept_effects)
    return result


def of_operator(scenario):
    passes = []
    for recorded in scenario["passes"]:
        effects = []
        for reconciler, action, targets, detail in recorded:
            if action in NOT_EFFECTS:
                continue
            action = REMOVAL if action in PARTS_OF_REMOVAL else action
            if action == "update-pod-metadata" and detail == ";" + NODE_OF_A_NEW_POD:
                continue
            name = reconciler[:1].upper() + reconciler[1:]
            effects.append(Effect(name, action, tuple(sorted(targets)), in_order(detail) if action in WITH_DETAIL else ""))
        passes.append(effects)
    passes = without_leaving(passes, leaving_at_the_start(scenario))
    return Outcome(kept(passes), "reconciled" if scenario["end"] == "reconciled" else "stuck")


def of_plan(plan):
    passes = {}
    for step in plan["steps"]:
        if step["action"] in NOT_EFFECTS:
            continue
        subjects = [step["subject"]] + step.get("targets", [])
        targets = tuple(sorted(s["name"] for s in subjects if s["kind"] in ("process_group", "service")))
        detail = in_order(step.get("detail", "")) if step["action"] in WITH_DETAIL else ""
        passes.setdefault(step["fdb"]["pass"], []).append(Effect(step["fdb"]["reconciler"], step["action"], targets, detail))
    end = "stuck" if plan["result"] == "blocked" else "reconciled"
    return Outcome(kept(passes[n] for n in sorted(passes)), end)


def lines(outcome):
    listed = []
    for number, effects in enumerate(outcome.passes, 1):
        listed += [f"{number} {effect}" for effect in effects]
    return listed + [outcome.end]


def compare(theirs, ours):
    """Nothing, or the first difference followed by both sequences."""
    left, right = lines(theirs), lines(ours)
    if left == right:
        return []
    at = next((i for i, pair in enumerate(zip(left, right)) if pair[0] != pair[1]), min(len(left), len(right)))
    first = [side[at] if at < len(side) else "nothing" for side in (left, right)]
    return [f"operator: {first[0]} | hfdb: {first[1]}"] + ["operator:"] + ["  " + x for x in left] + ["hfdb:"] + ["  " + x for x in right]

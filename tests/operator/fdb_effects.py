# SPDX-License-Identifier: BSD-2-Clause
"""What the operator did and what hfdb says it does, in one form.

An outcome is a list of passes and an end. Passes without an effect do not count: when a pass comes is a matter of clocks and events, what it does
and after what is not. A pass is the list of its effects in their order: (reconciler, action, targets in ID order, detail). The end is "reconciled" or
"stuck". Compared are: which effects there are, in which pass, in which order within the pass, with which targets; of configurations, coordinators and
the config map also the detail. A target that begins with "+" is a process of another object of the same database.

An include waits until the last recovery is ten minutes old; whether that is before or after the next deletion is a matter of seconds. So the
groups that are included and dropped are compared as a whole.

Not compared, because they are no effects: the fields of the status other than the process groups, events, waits, the annotation that names
the node of a new pod, and the hash that the operator notes in pods of groups that leave. An `exclude` that only confirms one is none either."""
import typing

NOT_EFFECTS = {"set-status", "wait", "blocked"}
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
    ended: tuple = ()  # what became of the groups that left: (action, targets)


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


def outcome(passes, end):
    """Passes with an effect, and apart from them what became of the groups that left."""
    ended, result = {"include": set(), "drop-process-group": set()}, []
    for effects in passes:
        for effect in effects:
            if effect.action in ended:
                ended[effect.action].update(effect.targets)
        effects = joined([effect for effect in effects if effect.action not in ended])
        if effects:
            result.append(effects)
    return Outcome(result, end, tuple((action, tuple(sorted(targets))) for action, targets in ended.items() if targets))


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


def excluded_at_the_start(scenario):
    servers = scenario["status"]["cluster"].get("configuration", {}).get("excluded_servers", [])
    names = {server.get("locality", server.get("address", "")) for server in servers}
    groups = scenario["cluster"]["status"]["processGroups"]
    return {g["processGroupID"] for g in groups
            if "locality_instance_id:" + g["processGroupID"] in names or names.intersection(g.get("addresses", []))}


def without_confirmations(passes, excluded):
    """An `exclude` that only confirms what is excluded already is no effect; one that finds a group for the first time is."""
    excluded, result = set(excluded), []
    for effects in passes:
        kept_effects = []
        for effect in effects:
            if effect.action == "verify-exclusion":
                effect = effect._replace(action="exclude", targets=tuple(t for t in effect.targets if t not in excluded))
                if not effect.targets:
                    continue
            if effect.action == "exclude":
                excluded.update(effect.targets)
            if effect.action == "include":
                excluded.difference_update(effect.targets)
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
            own = tuple(sorted(target for target in targets if not target.startswith("+")))
            others = of_others([target[1:] for target in targets if target.startswith("+")])
            effects.append(Effect(name, action, own, in_order(detail) if action in WITH_DETAIL else others))
        passes.append(effects)
    passes = without_confirmations(passes, excluded_at_the_start(scenario))
    passes = without_leaving(passes, leaving_at_the_start(scenario))
    return outcome(passes, "reconciled" if scenario["end"] == "reconciled" else "stuck")


def of_plan(plan):
    passes = {}
    for step in plan["steps"]:
        if step["action"] in NOT_EFFECTS:
            continue
        subjects = [step["subject"]] + step.get("targets", [])
        targets = tuple(sorted(s["name"] for s in subjects if s["kind"] in ("process_group", "service")))
        others = "".join(line for line in step.get("substeps", []) if line.startswith(OTHERS))
        detail = in_order(step.get("detail", "")) if step["action"] in WITH_DETAIL else others
        passes.setdefault(step["fdb"]["pass"], []).append(Effect(step["fdb"]["reconciler"], step["action"], targets, detail))
    end = "stuck" if plan["result"] == "blocked" else "reconciled"
    return outcome([passes[n] for n in sorted(passes)], end)


OTHERS = "and of other objects "


def of_others(names):
    """Coordinators that other objects of the database hold, as a detail."""
    return OTHERS + ", ".join(sorted(names)) if names else ""


def lines(result):
    listed = []
    for number, effects in enumerate(result.passes, 1):
        listed += [f"{number} {effect}" for effect in effects]
    listed += [" ".join([action, ",".join(targets)]) for action, targets in result.ended]
    return listed + [result.end]


def compare(theirs, ours):
    """Nothing, or the first difference followed by both sequences."""
    left, right = lines(theirs), lines(ours)
    if left == right:
        return []
    at = next((i for i, pair in enumerate(zip(left, right)) if pair[0] != pair[1]), min(len(left), len(right)))
    first = [side[at] if at < len(side) else "nothing" for side in (left, right)]
    return [f"operator: {first[0]} | hfdb: {first[1]}"] + ["operator:"] + ["  " + x for x in left] + ["hfdb:"] + ["  " + x for x in right]

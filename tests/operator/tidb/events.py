# SPDX-License-Identifier: BSD-2-Clause
"""Two accounts of one scenario as lists of the same events: what the operator was seen to do, and what htidb's plan says.

An event is (component, verb, target), of the operator also the pass in which it was seen. A verb names one thing done to the cluster; what is done to the operator's own books
(annotations, phases, a partition that is raised again once nothing is left to restart) is none."""
import re

COMPONENTS = ("pd", "tikv", "tidb")


def ordinals(replicas, slots):
    """Ordinals of a set: as many as there are replicas, counted upwards without the slots."""
    result, ordinal, skipped = [], 0, set(slots)
    while len(result) < replicas:
        if ordinal not in skipped:
            result.append(ordinal)
        ordinal += 1
    return result


def slots_of(text):
    return [int(word) for word in re.findall(r"\d+", text or "")]


class SetState:
    """What a set runs, followed through its updates."""

    def __init__(self, document=None):
        spec = (document or {}).get("spec", {})
        self.replicas = spec.get("replicas", 0)
        self.partition = spec.get("updateStrategy", {}).get("rollingUpdate", {}).get("partition", 0)
        self.slots = slots_of((document or {}).get("metadata", {}).get("annotations", {}).get("delete-slots"))

    def update(self, component, action):
        """Events of one update of the set."""
        before = ordinals(self.replicas, self.slots)
        if "slots" in action:
            self.slots = slots_of(action["slots"][1])
        if "replicas" in action:
            self.replicas = action["replicas"][1]
        after = ordinals(self.replicas, self.slots)
        old_partition = self.partition
        if "partition" in action:
            self.partition = action["partition"][1]
        if "template" in action:
            yield component, "template", self.partition
        yield from ((component, "out", n) for n in after if n not in before)
        yield from ((component, "in", n) for n in reversed(before) if n not in after)
        # A partition that frees no outdated pod that stays only follows the replicas.
        frees = [n for n in action.get("frees", []) if n in after]
        if "template" not in action and self.partition < old_partition and frees:
            yield component, "partition", self.partition


def operator_events(record):
    """Events of a recorded scenario, in the order in which they were seen."""
    sets = {c: SetState() for c in COMPONENTS}
    for item in record["kube"]["items"]:
        if item["kind"] == "StatefulSet":
            sets[item["metadata"]["name"].rsplit("-", 1)[1]] = SetState(item)
    for sync in record["syncs"]:
        for action in sync["actions"]:
            for event in one_event(sets, action["component"], action):
                yield *event, sync["n"]


TARGET = {"pod-delete": "pod", "claim-delete": "claim", "claim-mark": "claim", "leader-transfer": "to", "member-delete": "member",
          "store-delete": "pod", "evict-begin": "pod", "evict-end": "pod", "record-add": "pod", "record-deleted": "pod"}


def one_event(sets, c, action):
    verb = action["do"]
    if verb == "evict-begin" and action.get("by") == "annotation":
        return  # asked by a person, and told in words
    if verb == "set-update":
        yield from sets[c].update(c, action)
    elif verb == "set-create":
        sets[c].replicas = sets[c].partition = action["replicas"]
        yield c, verb, action["replicas"]
    elif verb == "set-delete":
        sets[c].replicas = 0
        yield c, verb, ""
    elif verb == "record-remove":
        yield c, verb, ""
    elif verb in TARGET:
        yield c, verb, action.get(TARGET[verb], "")


SUBSTEPS = (
    (re.compile(r"(?:if this member is leader: )?transfer leader to ([a-z0-9-]+)"), "leader-transfer"),
    (re.compile(r"delete member ([a-z0-9-]+)"), "member-delete"),
    (re.compile(r"evict leaders of (?:store \d+ of )?(demo-tikv-\d+) already"), "evict-begin"),
    (re.compile(r"evict leaders of "), "evict-begin"),
    (re.compile(r"remove the eviction scheduler"), "evict-end"),
    (re.compile(r"delete .*store.* in PD"), "store-delete"),
    (re.compile(r"mark claim ([a-z0-9-]+)"), "claim-mark"),
    (re.compile(r"delete claim ([a-z0-9-]+)"), "claim-delete"),
    (re.compile(r"delete pod ([a-z0-9-]+)"), "pod-delete"),
    (re.compile(r"set memberDeleted: true"), "record-deleted"),
    (re.compile(r"record the "), "record-add"),
    (re.compile(r"set partition of [a-z0-9-]+ to ([0-9]+)"), "partition"),
    (re.compile(r"raise replicas of "), "out"),
    (re.compile(r"lower replicas of "), "in"),
)


def substep_events(c, step):
    """Events of the parts of a step; the pod of the step is the target where a part names none."""
    pod = step["subject"]["name"]
    if not step.get("substeps") and step["action"] in ("scale-in", "scale-out"):
        yield c, step["action"][len("scale-"):], step["tidb"]["ordinal"]  # written with a forced template
    for substep in step.get("substeps", []):
        text = substep if isinstance(substep, str) else substep["text"]
        for pattern, verb in SUBSTEPS:
            match = pattern.match(text)
            if not match:
                continue
            if verb == "evict-begin" and "begun already" in text:
                break
            target = match.group(1) if match.groups() else pod
            if verb == "member-delete" and target.isdigit():
                target = pod  # by id: the member that failed
            if verb in ("out", "in"):
                target = step["tidb"]["ordinal"]
            yield c, verb, int(target) if verb == "partition" else target
            break


def plan_events(plan):
    for step in plan["steps"]:
        c = step["tidb"]["component"]
        action = step["action"]
        if action == "create-statefulset":
            yield c, "set-create", int(re.search(r"(\d+)$", step["detail"]).group(1))
        elif action == "delete-statefulset":
            yield c, "set-delete", ""
        elif action == "update-template":
            yield c, "template", step["tidb"]["partition"]
        elif action == "failover-clear":
            yield from [(c, "record-remove", "")] * int(re.search(r"(\d+)$", step["detail"]).group(1))
        elif action in ("wait", "restart-pod", "scale-out", "scale-in", "failover-mark", "failover-replace"):
            yield from substep_events(c, step)

# SPDX-License-Identifier: BSD-2-Clause
"""One scenario: htidb's plan against the operator's record.

Equal means: for each component the same events on the same targets in the same order, and the same end. Freer only where the
operator itself gives no order:
* components: the plan is serial (it says so, N-OVERLAP), the operator scales a later component while an earlier one scales; so
  events are compared per component, and between components only the order of their roll-outs;
* pods that scalePolicy lets come or go together: the events of each pod are in order, and the coming and going is;
* records of failures: the operator takes failures from a map, and writes its records at the end of a pass; so records of one pass
  have no order among themselves, nor with what else is done to the component in that pass.

A plan ends where the cluster would begin to recover from a failure that the plan itself replaces: what comes then is said under
"later", for it needs the failed one well again. Where the operator clears such a record the account ends, and the plan must have
said so; until there the events must be equal."""
import dataclasses
import json
import pathlib
import subprocess
import tempfile

import events


@dataclasses.dataclass
class Result:
    difference: str | None
    operator: list
    plan: list
    output: dict

    def account(self):
        """Both lists side by side."""
        lines = []
        for c in events.COMPONENTS:
            left = [f"{verb} {target}" for component, verb, target, _ in self.operator if component == c]
            right = [f"{verb} {target}" for component, verb, target in self.plan if component == c]
            lines.append(f"  {c}")
            for i in range(max(len(left), len(right))):
                a = left[i] if i < len(left) else "-"
                b = right[i] if i < len(right) else "-"
                lines.append(f"   {'  ' if a == b else '! '} {a:45} {b}")
        ends = [f"{b['code']} {b['subject']['name']} ({b.get('observed', '')})" for b in self.output.get("blocked", [])]
        lines.append(f"  operator ends: {self.end}; plan ends: {ends}")
        return "\n".join(lines)

    end: dict = dataclasses.field(default_factory=dict)


def written(folder, record):
    """The input files of a scenario; the options that name them."""
    def put(name, value):
        path = pathlib.Path(folder) / f"{name}.json"
        path.write_text(json.dumps(value), encoding="utf-8")
        return str(path)
    words = ["--current", put("current", record["current"]), "--desired", put("desired", record["desired"]),
             "--kube", put("kube", record["kube"])]
    for name, value in record.get("pd", {}).items():
        words += ["--pd", put(name, value)]
    return words


def plan_of(program, record):
    """The plan as JSON; refusals of the planner alone (U-) are made warnings, for the operator knows none of them."""
    with tempfile.TemporaryDirectory() as folder:
        words = [str(program), "plan", "--profile", "v1.6", "--now", record["now"], "--allow-unsafe", "--stuck-after", "30s", "--json"]
        run = subprocess.run(words + written(folder, record) + record["options"], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 3):
        return {"error": (run.stdout + run.stderr).strip()}
    return json.loads(run.stdout)


# What the operator says at the end, and the blocks of a plan that say the same.
ENDS = {
    "": (),
    "max-replicas": ("B-TIKV-MAXREPLICAS",),
    "not-synced": ("B-NOT-SYNCED", "B-PD-NO-QUORUM"),
    "pd-no-quorum-or-not-synced": ("B-PD-NO-QUORUM", "B-NOT-SYNCED"),
    "pd-unreachable": ("B-NOT-SYNCED", "B-PD-NO-QUORUM", "B-COMPONENT-DOWN"),
    "upgraded-not-well": ("B-UPGRADED-NOT-WELL",),
    "upgraded-not-available": ("B-UPGRADED-NOT-WELL",),
    "claim-left": ("B-STALE-CLAIM",),
    "store-unknown": ("B-STORE-UNKNOWN",),
    "store-unknown-young": ("B-STORE-UNKNOWN",),
    "store-label": ("B-STORE-UNKNOWN",),
    "pd-check": ("B-PD-CHECK",),
    "stores-check": ("B-STORES-NOT-UP",),
    "pd-not-available": ("B-COMPONENT-DOWN", "B-PD-NO-QUORUM", "B-NOT-SYNCED"),
    "tikv-not-available": ("B-COMPONENT-DOWN",),
    "no-healthy-tidb": ("B-NO-HEALTHY-TIDB",),
}


def end_difference(record, plan):
    how, said = record["end"]["how"], record["end"]["error"]
    if how != "quiet":
        return f"end: the operator does not come to rest ({how}, {said})"
    codes = [b["code"] for b in plan["blocked"]]
    stops = [code for code in codes if code not in ("B-PD-IN-USE", "B-GATE")]
    if said not in ENDS:
        return f"end: the operator ends with '{said}', the plan with {codes}"
    if said == "":
        return f"end: the operator ends well, the plan with {stops[0]}" if stops else None
    held = {"pd-unreachable": events.COMPONENTS, "pd-no-quorum-or-not-synced": events.COMPONENTS, "pd-not-available": ("tikv", "tidb"), "tikv-not-available": ("tidb",)}.get(said, ())
    if held and not stops and not any(step["tidb"]["component"] in held and step["action"] != "delete-statefulset" for step in plan["steps"]):
        return None  # it waits, but nothing is wished of what waits
    if not any(code in ENDS[said] for code in codes):
        return f"end: the operator ends with '{said}', the plan with {codes}"
    return None


def is_parallel(record, c):
    policy = record["desired"]["spec"].get(c, {}).get("scalePolicy", {})
    return any(value > 1 for value in policy.values())


def pod_of(c, event):
    """The pod an event belongs to; none for what happens to the whole set."""
    verb, target = event
    if verb in ("in", "out"):
        return f"demo-{c}-{target}"
    if verb in ("claim-mark", "claim-delete"):
        return target.split("-", 1)[1]
    return target if isinstance(target, str) and target.startswith("demo-") else None


RECORDS = ("record-add", "record-deleted", "record-remove")


def record_difference(c, operator, plan):
    """Records made and cleared: the same ones, each as many events of its component behind the start as the operator's pass allows."""
    passes = [event[3] for event in operator if event[1] not in RECORDS]
    theirs = sorted((n, verb, target) for _, verb, target, n in operator if verb in RECORDS)
    seen, mine = 0, []
    for _, verb, target in plan:
        if verb in RECORDS:
            mine.append((seen, verb, target))
        else:
            seen += 1
    if sorted(e[1:] for e in theirs) != sorted(e[1:] for e in mine):
        return f"{c}: records: operator {[e[1:] for e in theirs]}; plan {[e[1:] for e in mine]}"
    for n, verb, target in theirs:
        at = next(i for i, e in enumerate(mine) if e[1:] == (verb, target))
        place = mine.pop(at)[0]
        if not sum(1 for p in passes if p < n) <= place <= sum(1 for p in passes if p <= n):
            return f"{c}: order of {verb} {target}"
    return None


def component_difference(record, c, operator, plan):
    theirs = [event for event in operator if event[0] == c]
    ours = [event for event in plan if event[0] == c]
    left = [event[1:3] for event in theirs if event[1] not in RECORDS]
    right = [event[1:3] for event in ours if event[1] not in RECORDS]
    if left == right or is_parallel(record, c) and is_same_of_each(c, left, right):
        return record_difference(c, theirs, ours)
    at = next((i for i in range(min(len(left), len(right))) if left[i] != right[i]), min(len(left), len(right)))
    there = " ".join(map(str, left[at])) if at < len(left) else "nothing more"
    here = " ".join(map(str, right[at])) if at < len(right) else "nothing more"
    return f"{c}: event {at + 1}: operator {there}; plan {here}"


def is_same_of_each(c, left, right):
    """Whether each pod has the same events in order, and the set as well."""
    def parts(side):
        of_set = [e for e in side if e[0] in ("template", "partition", "in", "out", "set-create", "set-delete")]
        of_pods = {}
        for event in side:
            of_pods.setdefault(pod_of(c, event), []).append(event)
        return of_set, of_pods
    return parts(left) == parts(right)


def rollout_order(record, sequence):
    """Components in the order of their roll-outs. TiDB that is to have no pods gets its template whenever its pods go."""
    order = []
    for c, verb, *_ in sequence:
        if c == "tidb" and record["desired"]["spec"]["tidb"]["replicas"] == 0:
            continue
        if verb in ("template", "partition") and (not order or order[-1] != c):
            order.append(c)
    return order


def waits_for_a_failed_one(record, c):
    """Whether a pod of the component is not well at the start: the snapshot does not tell whether it will be."""
    names = {item["metadata"]["name"] for item in record["kube"]["items"] if item["kind"] == "Pod" and f"-{c}-" in item["metadata"]["name"]
             and not any(k["type"] == "Ready" and k["status"] == "True" for k in item["status"]["conditions"])}
    status = record["current"].get("status", {}).get(c, {})
    return bool(names) or any(not m.get("health", True) for m in status.get("members", {}).values()) \
        or any(s.get("state") != "Up" for s in status.get("stores", {}).values())


def until_recovery(record, operator, plan):
    """The events before the first record is cleared that was made, or led to a replacement, in this very account, or whose pod must
    come back first; whether there is one."""
    made = set()
    cleared = {c: plan.count((c, "record-remove", "")) for c in events.COMPONENTS if waits_for_a_failed_one(record, c)}
    for i, (c, verb, *_) in enumerate(operator):
        if verb == "record-remove" and c in cleared:
            cleared[c] -= 1
            if cleared[c] < 0:
                made.add(c)
        if verb in ("record-add", "record-deleted"):
            made.add(c)
        if verb == "record-remove" and c in made:
            return operator[:i], c
    return operator, None


def without_marks_again(operator):
    """A claim that is marked is marked anew in each pass that waits; that is one mark."""
    marked, events_left = set(), []
    for event in operator:
        if event[1] == "claim-mark" and event[2] in marked:
            continue
        if event[1] == "claim-mark":
            marked.add(event[2])
        if event[1] == "out":
            marked.clear()
        events_left.append(event)
    return events_left


def without_idle_ends(operator, plan):
    """Ending an eviction that nobody has begun does nothing, and the record shows only what something came of."""
    begun = {target for _, verb, target in plan if verb == "evict-begin"} | {e[2] for e in operator if e[1] == "evict-end"}
    return [event for event in plan if event[1] != "evict-end" or event[2] in begun]


def circle_of_a_batch(record, plan):
    """Pods that leave together, one of which never can: the operator goes round for ever, and the plan says so before it begins."""
    return record["end"] == record["end"] | {"how": "endless", "error": "max-replicas"} and is_parallel(record, "tikv") \
        and any(b["code"] == "B-TIKV-MAXREPLICAS" and "for ever" in b.get("observed", "") for b in plan["blocked"])


def is_begin_of_each(c, begun, whole):
    """Whether each pod has gone through the first of its events."""
    def of_pods(side):
        pods = {}
        for event in side:
            pods.setdefault(pod_of(c, event), []).append(event)
        return pods
    parts = of_pods(whole)
    return all(parts.get(pod, [])[:len(seen)] == seen for pod, seen in of_pods(begun).items())


def prefix_difference(record, operator, ours):
    for c in events.COMPONENTS:
        if is_parallel(record, c) and is_begin_of_each(c, *([e[1:3] for e in side if e[0] == c and e[1] not in RECORDS] for side in (operator, ours))):
            continue
        seen = sum(1 for event in operator if event[0] == c and event[1] not in RECORDS)
        mine = []
        for event in (event for event in ours if event[0] == c):
            if event[1] not in RECORDS:
                seen -= 1
            if seen < 0:
                break
            mine.append(event)
        difference = component_difference(record, c, operator, mine)
        if difference:
            return difference
    return None


def compare(program, record):
    operator = without_marks_again(events.operator_events(record))
    plan = plan_of(program, record)
    if "error" in plan:
        return Result(f"refused: {plan['error'][:200]}", operator, [], plan, record["end"])
    ours = without_idle_ends(operator, list(events.plan_events(plan)))
    operator, recovers = until_recovery(record, operator, ours)
    if circle_of_a_batch(record, plan):
        return Result(None, operator, ours, plan, record["end"])
    if recovers:
        difference = prefix_difference(record, operator, ours)
        if difference is None and not plan["later"]:
            difference = f"{recovers}: the operator recovers, the plan has nothing under later"
        return Result(difference, operator, ours, plan, record["end"])
    differences = [component_difference(record, c, operator, ours) for c in events.COMPONENTS]
    difference = next((d for d in differences if d), None) or end_difference(record, plan)
    if difference is None and rollout_order(record, operator) != rollout_order(record, ours):
        difference = f"order: roll-outs {rollout_order(record, operator)} against {rollout_order(record, ours)}"
    return Result(difference, operator, ours, plan, record["end"])

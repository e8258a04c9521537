# SPDX-License-Identifier: BSD-2-Clause
"""The reviewed list of differences from the operator. Each entry: a name, why, and when it applies.

An entry excuses only what it names."""
import dataclasses
import typing


@dataclasses.dataclass(frozen=True)
class Difference:
    name: str
    reason: str
    applies: typing.Callable  # (record, result) -> bool


def at_fault(result):
    return result.difference.split(":")[0]


def does_not_wait_for_the_new_pod(record, result):
    """Having added a pod, the operator goes on to roll out: a pod without a store yet is passed over, so the next lower one is emptied
    first. htidb plans as if each wait were over before the next step."""
    added = [int(target) for c, verb, target, _ in result.operator if c == "tikv" and verb == "out"]
    return any(f"operator evict-begin demo-tikv-{min(added) - 1}; plan evict-begin demo-tikv-{n}" in result.difference
               or f"operator evict-begin demo-tikv-{n - 1}; plan evict-begin demo-tikv-{n}" in result.difference for n in added)


def offline_store_is_tombstone_by_then(record, result):
    """A store that is Offline at the start, its pod still wished, is Tombstone before the roll-out reaches it: a pod without a store
    is not emptied and restarts with the next lower one. htidb plans with the store as it is."""
    stores = record.get("pd", {}).get("store", {}).get("stores", [])
    return at_fault(result) == "tikv" and any(entry["store"]["state_name"] == "Offline" for entry in stores)


def new_pods_are_freed_together(record, result):
    """The same where the eviction of the next lower one ends before the new pods have stores: all of them are freed by one write."""
    added = {int(target) for c, verb, target, _ in result.operator if c == "tikv" and verb == "out"}
    frees = [action["frees"] for sync in record["syncs"] for action in sync["actions"] if action["component"] == "tikv" and "frees" in action]
    return at_fault(result) == "tikv" and any(len(free) > 1 and added & set(free) for free in frees)


def joins_while_it_is_waited_for(record, result):
    """A pod that is too young to be taken as one that never joined is waited for; in the record it joins, and is emptied as any other."""
    waited = [step["subject"]["name"] for step in result.output["steps"] if step["action"] == "wait" and "no store yet" in step.get("reason", {}).get("text", "")]
    return any(f"operator evict-begin {pod};" in result.difference for pod in waited)


def members_come_from_a_map(record, result):
    """Of several members of PD, or of TiDB, that have failed the operator takes any first."""
    c = at_fault(result)
    failed = [{e[2] for e in side if e[0] == c and e[1] == "record-add"} for side in (result.operator, result.plan)]
    return c in ("pd", "tidb") and len(failed[0]) > 1 and failed[0] == failed[1]


def starting_member_is_asked(record, result):
    """A PD member that starts at the moment of the snapshot: by the time that a leader is looked for it is well in the record, or it was
    asked to lead before it could. htidb takes it as it is."""
    joined = {member["name"] for member in record.get("pd", {}).get("health", [])}
    pods = {item["metadata"]["name"] for item in record["kube"]["items"] if item["kind"] == "Pod"}
    left = {pod for pod in not_ready_at_first(record) | (pods - joined) if pod.startswith("demo-pd-")}
    targets = {event[2] for event in result.operator if event[:2] == ("pd", "leader-transfer")}
    return record["kind"] == "midway" and at_fault(result) == "pd" and "leader-transfer" in result.difference and bool(left & targets)


def pd_comes_back(record, result):
    """PD has no majority at the start, for a pod of it starts or was not well; in the record it comes back by itself. htidb stops there."""
    codes = {block["code"] for block in result.output["blocked"]}
    is_down = not record["current"]["status"]["pd"].get("synced", True) or "pd" not in record
    return is_down and bool(codes & {"B-NOT-SYNCED", "B-PD-NO-QUORUM", "B-COMPONENT-DOWN"}) and "plan nothing more" in result.difference


def pd_suspended_without_tikv(record, result):
    """PD is suspended and TiKV is not: its turn comes once TiDB's is over, and until then changes of TiKV go on, to stop wherever they are.
    htidb shows them as blocked by it, and TiDB's suspension after them."""
    spec = record["desired"]["spec"]
    suspended = {c for c in ("pd", "tikv", "tidb") if spec[c].get("suspendAction", spec.get("suspendAction", {})).get("suspendStatefulSet")}
    codes = {(block["code"], block["subject"]["name"]) for block in result.output["blocked"]}
    return record["kind"] == "suspend" and "pd" in suspended and "tikv" not in suspended and record["end"]["error"] == "pd-not-available" \
        and at_fault(result) in ("tikv", "tidb") and ("B-COMPONENT-DOWN", "tikv") in codes


def suspended_beside_a_single_pd(record, result):
    """The only PD has changed before TiDB is suspended, so TiKV, which comes after it, still gets its changes; htidb takes PD's as longer."""
    return record["kind"] == "suspend" and record["desired"]["spec"]["pd"]["replicas"] == 1 and "plan set-delete" in result.difference


def not_ready_at_first(record):
    return {item["metadata"]["name"] for item in record["kube"]["items"] if item["kind"] == "Pod"
            and any(k["type"] == "Ready" and k["status"] != "True" for k in item["status"]["conditions"])}


def sick_for_a_moment_only(record, result):
    """A PD or TiKV pod that has not been Ready for a moment stays so in the record and holds what comes after it; htidb waits for this very
    pod, and shows the rest after the wait."""
    held = [c for c in ("pd", "tikv") if record["end"]["phase"][c] == "Upgrade"]
    if record["end"]["error"] != "upgraded-not-well" or len(held) != 1 or "operator nothing more; plan" not in result.difference:
        return False
    steps = result.output["steps"]
    waits = [step["n"] for step in steps if step["action"] == "wait" and step["tidb"]["component"] == held[0]
             and step["subject"]["name"] in not_ready_at_first(record)]
    done = {c: sum(1 for event in result.operator if event[0] == c) for c in ("pd", "tikv", "tidb")}
    untouched = done["tidb"] == 0 if at_fault(result) == "tidb" else at_fault(result) == held[0]
    later = [step["n"] for step in steps if step["tidb"]["component"] == "tidb"]
    return bool(waits) and untouched and all(n > max(waits) for n in later)


def store_comes_back(record, result):
    """A store that is not Up at the start is Up by the time that the guard asks in the record; htidb counts it as it is, and blocks."""
    states = {store.get("state") for store in record["current"]["status"]["tikv"].get("stores", {}).values()}
    codes = {block["code"] for block in result.output["blocked"]}
    return bool(states & {"Disconnected", "Down"}) and "B-TIKV-MAXREPLICAS" in codes and at_fault(result) == "tikv" \
        and "operator evict-begin" in result.difference and "plan nothing more" in result.difference


def passes_before_the_block(record, result):
    """Components are handled in one pass: TiDB fails over, or scales, in the passes in which an earlier one still goes on; htidb shows
    components one after the other, and nothing after a block."""
    blocks = {"max-replicas": "B-TIKV-MAXREPLICAS", "stores-check": "B-STORES-NOT-UP", "pd-check": "B-PD-CHECK"}
    codes = {block["code"] for block in result.output["blocked"]}
    last = max((event[3] for event in result.operator if event[0] != "tidb"), default=-1)
    in_time = all(event[3] <= last for event in result.operator if event[0] == "tidb")
    nothing = not any(event[0] == "tidb" for event in result.plan)
    return at_fault(result) == "tidb" and blocks.get(record["end"]["error"]) in codes and in_time and nothing


def number_reached_in_between(record, result):
    """Slots and replicas change together: where the number is reached for a moment, before the slots are, the operator fails over in
    between; htidb does so once the set is as wished. What is done is the same."""
    c = at_fault(result)
    changes = record["kind"] == "slots" and record["current"]["spec"].get(c, {}).get("replicas") != record["desired"]["spec"].get(c, {}).get("replicas")
    sides = [sorted(str(event[1:3]) for event in side if event[0] == c) for side in (result.operator, result.plan)]
    return changes and sides[0] == sides[1] and any(event[0] == c and event[1] == "record-add" for event in result.operator)


def served_beside(record, result):
    """An eviction that an annotation asks for is served beside the passes; htidb shows it before them, whoever begins it. What is done is
    the same."""
    asked = {item["metadata"]["name"] for item in record["kube"]["items"] if "tidb.pingcap.com/evict-leader" in item["metadata"].get("annotations", {})}
    sides = [sorted(str(event[1:3]) for event in side if event[0] == "tikv" and (event[1] != "evict-begin" or event[2] not in asked))
             for side in (result.operator, result.plan)]
    return record["kind"] == "evict" and at_fault(result) == "tikv" and sides[0] == sides[1]


def waits_for_a_majority(record, result):
    """Asked with --allow-unsafe to remove a member that the majority needs, htidb names the danger, waits for a majority after the removal,
    and goes on; in the record no member comes back, and the operator never gets an answer from PD again."""
    dangers = any(warning["code"] == "U-PD-QUORUM" for warning in result.output["warnings"])
    waits = any(step["action"] == "scale-in" and any("PD has a majority" in wait["text"] for wait in step.get("waits_for", []))
                for step in result.output["steps"])
    unanswered = record["end"]["error"] in ("pd-unreachable", "not-synced", "pd-no-quorum-or-not-synced") \
        and ("operator nothing more; plan" in result.difference or at_fault(result) == "end")
    forced = "operator template 0; plan template" in result.difference  # it has lost PD, and is told to go on then
    return dangers and (waits and unanswered or forced)


KNOWN = (
    Difference("waits for a majority", "what --allow-unsafe asks for", waits_for_a_majority),
    Difference("served beside", "the order of the same steps", served_beside),
    Difference("does not wait for the new pod", "a matter of timing that no snapshot shows", does_not_wait_for_the_new_pod),
    Difference("new pods are freed together", "a matter of timing that no snapshot shows", new_pods_are_freed_together),
    Difference("joins while it is waited for", "a matter of timing that no snapshot shows", joins_while_it_is_waited_for),
    Difference("members come from a map", "the operator takes no order", members_come_from_a_map),
    Difference("starting member is asked", "what a snapshot does not show", starting_member_is_asked),
    Difference("PD comes back", "what a snapshot does not show", pd_comes_back),
    Difference("suspended beside a single PD", "a matter of timing that no snapshot shows", suspended_beside_a_single_pd),
    Difference("PD suspended without TiKV", "a matter of timing that no snapshot shows", pd_suspended_without_tikv),
    Difference("store comes back", "what a snapshot does not show", store_comes_back),
    Difference("number reached in between", "the order of the same steps", number_reached_in_between),
    Difference("sick for a moment", "a matter of timing that no snapshot shows", sick_for_a_moment_only),
    Difference("passes before the block", "components are shown one after the other", passes_before_the_block),
    Difference("Offline store is Tombstone by then", "a matter of timing that no snapshot shows", offline_store_is_tombstone_by_then),
)


def reason(record, result):
    """Name of the entry that explains the difference; None: nothing does."""
    return next((entry.name for entry in KNOWN if entry.applies(record, result)), None)

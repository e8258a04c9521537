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
    return any(f"operator evict-begin demo-tikv-{n - 1}; plan evict-begin demo-tikv-{n}" in result.difference for n in added)


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
    """Of several PD members that have failed the operator takes any first."""
    failed = [{e[2] for e in side if e[0] == "pd" and e[1] == "record-add"} for side in (result.operator, result.plan)]
    return at_fault(result) == "pd" and len(failed[0]) > 1 and failed[0] == failed[1]


def pd_comes_back(record, result):
    """PD has no majority at the start, for a pod of it starts or was not well; in the record it comes back by itself. htidb stops there."""
    codes = {block["code"] for block in result.output["blocked"]}
    is_down = not record["current"]["status"]["pd"].get("synced", True) or "pd" not in record
    return is_down and bool(codes & {"B-NOT-SYNCED", "B-PD-NO-QUORUM", "B-COMPONENT-DOWN"}) and "plan nothing more" in result.difference


def suspended_beside_a_single_pd(record, result):
    """The only PD has changed before TiDB is suspended, so TiKV, which comes after it, still gets its changes; htidb takes PD's as longer."""
    return record["kind"] == "suspend" and record["desired"]["spec"]["pd"]["replicas"] == 1 and "plan set-delete" in result.difference


def sick_for_a_moment_only(record, result):
    """A TiKV pod that has not been Ready for a moment stays so in the record and holds what comes after it; htidb waits for this very pod,
    and shows the changes of TiDB after the wait."""
    held = record["end"]["error"] == "upgraded-not-well" and record["end"]["phase"]["tikv"] == "Upgrade"
    not_ready = {item["metadata"]["name"] for item in record["kube"]["items"] if item["kind"] == "Pod"
                 and any(k["type"] == "Ready" and k["status"] != "True" for k in item["status"]["conditions"])}
    steps = result.output["steps"]
    waits = [step["n"] for step in steps if step["action"] == "wait" and step["tidb"]["component"] == "tikv" and step["subject"]["name"] in not_ready]
    later = [step["n"] for step in steps if step["tidb"]["component"] == "tidb"]
    nothing = not any(event[0] == "tidb" for event in result.operator)
    return at_fault(result) == "tidb" and held and nothing and bool(waits) and min(later) > max(waits)


def pass_between_two_removals(record, result):
    """In the pass in which one TiKV pod goes TiDB is handled as well; the next one is blocked, and what htidb shows of TiDB comes after."""
    return at_fault(result) == "tidb" and record["end"]["error"] == "max-replicas" and any(e[:2] == ("tikv", "in") for e in result.operator)


def waits_for_a_majority(record, result):
    """Asked with --allow-unsafe to remove a member that the majority needs, htidb names the danger, waits for a majority after the removal,
    and goes on; in the record no member comes back, and the operator never gets an answer from PD again."""
    dangers = any(warning["code"] == "U-PD-QUORUM" for warning in result.output["warnings"])
    waits = any(step["action"] == "scale-in" and any("PD has a majority" in wait["text"] for wait in step.get("waits_for", []))
                for step in result.output["steps"])
    unanswered = record["end"]["error"] in ("pd-unreachable", "not-synced", "pd-no-quorum-or-not-synced")
    return dangers and waits and unanswered and "operator nothing more; plan" in result.difference


KNOWN = (
    Difference("waits for a majority", "what --allow-unsafe asks for", waits_for_a_majority),
    Difference("does not wait for the new pod", "a matter of timing that no snapshot shows", does_not_wait_for_the_new_pod),
    Difference("new pods are freed together", "a matter of timing that no snapshot shows", new_pods_are_freed_together),
    Difference("joins while it is waited for", "a matter of timing that no snapshot shows", joins_while_it_is_waited_for),
    Difference("members come from a map", "the operator takes no order", members_come_from_a_map),
    Difference("PD comes back", "what a snapshot does not show", pd_comes_back),
    Difference("suspended beside a single PD", "a matter of timing that no snapshot shows", suspended_beside_a_single_pd),
    Difference("sick for a moment", "a matter of timing that no snapshot shows", sick_for_a_moment_only),
    Difference("pass between two removals", "components are shown one after the other", pass_between_two_removals),
    Difference("Offline store is Tombstone by then", "a matter of timing that no snapshot shows", offline_store_is_tombstone_by_then),
)


def reason(record, result):
    """Name of the entry that explains the difference; None: nothing does."""
    return next((entry.name for entry in KNOWN if entry.applies(record, result)), None)

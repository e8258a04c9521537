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


def says(result, code, text=""):
    return any(w["code"] == code and text in w["text"] for w in result.output.get("warnings", []))


def changes_before_its_suspension(record, result):
    """A component that is changed and suspended in one edit may get the changes before its turn to be suspended comes; htidb shows the
    suspension alone, and says so."""
    return "plan set-delete" in result.difference and says(result, "W-SUSPEND-WITH-CHANGES")


def forced_write_takes_replicas_along(record, result):
    """One write of a PD that does not answer: template, partition 0 and all replicas; htidb still shows the scaling first."""
    writes = [action for sync in record["syncs"] for action in sync["actions"] if action["do"] == "set-update" and action["component"] == "pd"]
    return record["kind"] == "forced" and any("template" in w and "replicas" in w for w in writes) and result.difference.startswith("pd:")


def pods_of_the_old_template(record, result):
    """The edit takes back a template while pods of the old one still run: the StatefulSet finds its old revision again and restarts only
    the others; htidb restarts all."""
    runs = {item["metadata"]["name"].rsplit("-", 1)[0] for item in record["kube"]["items"]
            if item["kind"] == "Pod" and item["metadata"]["labels"]["controller-revision-hash"] not in current_revisions(record)}
    return record["kind"] == "midway" and bool(runs) and "plan partition" in result.difference


def current_revisions(record):
    return {item["status"]["updateRevision"] for item in record["kube"]["items"] if item["kind"] == "StatefulSet"}


def passes_of(record, c):
    """Verbs and set updates of a component, pass by pass."""
    for sync in record["syncs"]:
        actions = [action for action in sync["actions"] if action["component"] == c]
        if actions:
            yield {action["do"] for action in actions}, [action for action in actions if action["do"] == "set-update"]


def at_fault(result):
    return result.difference.split(":")[0]


def template_with_the_failure(record, result):
    """The pass that records a failure writes the changed template as well; htidb lets the replacement come first."""
    return any(verbs & {"record-add", "record-deleted"} and any("template" in update for update in updates)
               for verbs, updates in passes_of(record, at_fault(result)))


def scales_while_it_clears(record, result):
    """PD and TiDB count the records before they clear them, so that pass still scales; htidb clears first."""
    return at_fault(result) in ("pd", "tidb") and any("record-remove" in verbs and any("replicas" in update for update in updates)
                                                      for verbs, updates in passes_of(record, at_fault(result)))


def template_of_no_tidb(record, result):
    """A TiDB set lowered to no pods gets its new template at once; htidb leaves the template as it is."""
    return at_fault(result) == "tidb" and record["desired"]["spec"]["tidb"]["replicas"] == 0 and "operator template" in result.difference


def pod_comes_into_a_roll_out(record, result):
    """A pod added while a roll-out goes on is outdated, for the partition is held above all; htidb takes it as updated."""
    added = {f"partition {target}" for c, verb, target, _ in result.operator if verb == "out" and c == at_fault(result)}
    return record["kind"] in ("midway", "recovery") and any(f"operator {partition};" in result.difference for partition in added)


def only_tikv_is_not_held_back(record, result):
    """The only TiKV gets its template with partition 0 in one write; htidb shows two."""
    return at_fault(result) == "tikv" and "operator template 0; plan template 1" in result.difference


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


def slots_at_equal_replicas(record, result):
    """Slots that change while the replicas stay are no scaling to the operator, so the template goes out along with them."""
    c = at_fault(result)
    note = f"{c}.tidb.pingcap.com/delete-slots"
    slots = [record[side]["metadata"].get("annotations", {}).get(note) for side in ("current", "desired")]
    replicas = [record[side]["spec"].get(c, {}).get("replicas") for side in ("current", "desired")]
    return slots[0] != slots[1] and replicas[0] == replicas[1] and f"{c}: event 1: operator template" in result.difference


KNOWN = (
    Difference("does not wait for the new pod", "a matter of timing that no snapshot shows", does_not_wait_for_the_new_pod),
    Difference("Offline store is Tombstone by then", "a matter of timing that no snapshot shows", offline_store_is_tombstone_by_then),
    Difference("slots at equal replicas", "to be mended: the order of two writes", slots_at_equal_replicas),
    Difference("template with the failure", "to be mended: the order of two writes", template_with_the_failure),
    Difference("scales while it clears", "to be mended: a pod that comes for one pass", scales_while_it_clears),
    Difference("template of no TiDB", "to be mended: a write that restarts pods that are about to go", template_of_no_tidb),
    Difference("pod comes into a roll-out", "to be mended: one restart too few", pod_comes_into_a_roll_out),
    Difference("only TiKV", "to be mended: one write told as two", only_tikv_is_not_held_back),
    Difference("changes before a suspension", "a matter of timing; the plan warns of it", changes_before_its_suspension),
    Difference("forced write with replicas", "the scaling of a forced PD is not told as the operator does it", forced_write_takes_replicas_along),
    Difference("rollback in a roll-out", "pods are not told apart by the template they run", pods_of_the_old_template),
)


def reason(record, result):
    """Name of the entry that explains the difference; None: nothing does."""
    return next((entry.name for entry in KNOWN if entry.applies(record, result)), None)

# SPDX-License-Identifier: BSD-2-Clause
"""An independent model of what the steps of an hfdb plan do to a FoundationDB cluster, from the manuals of database and operator and from
ballast-plan(5) alone: it reads the inputs itself and shares no code with the planner. It knows what must hold so that no data and no
majority is lost: whose servers leave is excluded first and has its replacements, coordinators keep their majority, zones go one at a
time, claims are deleted with what is out of use, nothing is forgotten before it is gone.
"""
import json

import yaml

COPIES = {"single": 1, "double": 2, "": 2, "triple": 3, "three_data_hall": 3}  # zones that the data needs
COORDINATORS = {"single": 1, "double": 3, "": 3, "triple": 5, "three_data_hall": 9}
WITH_DISK = {"storage", "log", "transaction", "coordinator"}
UNSEEN = {"MissingPod", "MissingProcesses", "PodPending", "PodFailing"}
LABELS = ("foundationdb.org/fdb-process-group-id", "fdb-instance-id")
CLASS_LABELS = ("foundationdb.org/fdb-process-class", "fdb-process-class")
Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Broken(Exception):
    """The step that breaks a rule, and which."""


class Unknown(Exception):
    """An input that this model does not read."""


class Group:
    def __init__(self, name, kind, zone, owner):
        self.name, self.kind, self.zone, self.owner = name, kind, zone, owner
        self.marked = self.excluded = self.skipped = self.sick = False
        self.gone = False  # pod, claim and service
        self.has_pod = True
        self.made = None  # when the plan made the pod of a group that it added
        self.never_seen = False  # it was excluded in that moment: no server of it ever ran
        self.addresses = []

    def serves(self):
        return self.has_pod and not self.excluded


def documents(paths):
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for document in yaml.load_all(file, Loader=Loader):
                if isinstance(document, dict):
                    yield from document["items"] if isinstance(document.get("items"), list) else [document]


def field(document, path, otherwise=None):
    for key in path.split("."):
        if not isinstance(document, dict) or document.get(key) is None:
            return otherwise
        document = document[key]
    return document


def entries(cluster):
    groups = field(cluster, "status.processGroups", [])
    return [{"processGroupID": name, **entry} for name, entry in groups.items()] if isinstance(groups, dict) else groups


def after_seconds(step):
    return step["fdb"].get("after_seconds", 0)


class Model:
    """`inputs`: current, kube, status, peer (lists of paths), and `sets`: the settings of the wish by path."""

    def __init__(self, inputs, plan):
        self.groups, self.pod_names = {}, {}
        self.plan = plan
        dangers = {warning["code"] for warning in plan["warnings"]} | {
            risk["code"] for step in plan["steps"] for risk in step.get("risks", [])}
        self.may_skip_exclusion = "removal-without-exclusion" in dangers
        self.may_lose_coordinators = "coordinators-lost" in dangers
        clusters = [one for one in documents(inputs["current"] + inputs.get("peer", [])) if one.get("kind") == "FoundationDBCluster"]
        if not clusters or any(field(one, f"{part}.pendingRemovals") for one in clusters for part in ("spec", "status")):
            raise Unknown("no cluster, or marks of the time before process groups")
        self.spec = clusters[0].get("spec") or {}
        self.sets = inputs.get("sets", {})
        for cluster in clusters:
            self.read_groups(cluster)
        self.read_pods(list(documents(inputs.get("kube", []))))
        self.coordinators = self.read_coordinators(clusters[0])
        for path in inputs.get("status", []):
            with open(path, encoding="utf-8") as file:
                self.read_database(json.load(file))
        mode = field(clusters[0], "status.databaseConfiguration.redundancy_mode") or field(self.spec, "databaseConfiguration.redundancy_mode", "double")
        self.configured(mode)
        self.is_unsafe = "--allow-unsafe" in inputs.get("words", [])
        self.has_limits = plan["profile"] != "seed" and not any(path.startswith("buggify") for path in self.sets)
        self.began_with = {kind: self.zones_of(kind) for kind in WITH_DISK}
        self.down = set()  # zones whose pods were deleted and are not there again
        self.removed_at = None  # seconds from the plan's clock on
        self.maintenance = None
        self.had_majority = self.has_majority()

    def read_groups(self, cluster):
        owner = field(cluster, "metadata.name")
        for entry in entries(cluster):
            group = Group(entry["processGroupID"], entry.get("processClass", ""), entry.get("faultDomain", ""), owner)
            group.marked = bool(entry.get("removalTimestamp") or entry.get("remove"))
            group.skipped = bool(entry.get("exclusionSkipped"))
            group.excluded = group.skipped or bool(entry.get("exclusionTimestamp") or entry.get("excluded"))
            told = {one.get("type", one.get("condition")) for one in entry.get("processGroupConditions") or [] if isinstance(one, dict)}
            group.has_pod = "MissingPod" not in told
            group.sick = bool(told & UNSEEN)
            group.addresses = entry.get("addresses") or []
            self.groups[group.name] = group

    def read_pods(self, objects):
        pods = [one for one in objects if one.get("kind") == "Pod"]
        there = {next((labels[label] for label in LABELS if label in labels), None): one for one in pods
                 if not field(one, "metadata.deletionTimestamp") for labels in [field(one, "metadata.labels", {})]}
        for name, pod in there.items():
            if name is not None and name not in self.groups:
                labels = pod["metadata"]["labels"]
                kind = next((labels[label] for label in CLASS_LABELS if label in labels), "")
                self.groups[name] = Group(name, kind, field(pod, "spec.nodeName", ""), None)
            if name is not None:
                self.groups[name].zone = self.groups[name].zone or field(pod, "spec.nodeName", "")
                if field(pod, "status.podIP"):
                    self.groups[name].addresses = [*self.groups[name].addresses, pod["status"]["podIP"]]
        if pods:
            for group in self.groups.values():
                group.has_pod = group.name in there

    def read_coordinators(self, cluster):
        text = field(cluster, "status.connectionString", "")
        hosts = {address.rsplit(":", 2 if address.endswith(":tls") else 1)[0].strip("[]") for address in text.partition("@")[2].split(",")}
        known = {group.name for group in self.groups.values()
                 if hosts & set(group.addresses) or any(host.startswith(f"{group.owner}-{self.short(group)}.") for host in hosts)}
        return known | {f"elsewhere {n}" for n in range(len(hosts) - len(known))}

    def short(self, group):
        return group.name[group.name.index(group.kind.replace("-", "_")):].replace("_", "-") if group.kind in group.name else group.name

    def read_database(self, status):
        processes = field(status, "cluster.processes", {}).values()
        seen = {}
        told = [one for one in processes if any(role.get("role") == "coordinator" for role in one.get("roles") or [])]
        if told:
            self.coordinators = {field(one, "locality.instance_id", f"elsewhere {n}") for n, one in enumerate(told)}
        for one in processes:
            name = field(one, "locality.instance_id")
            if name in self.groups:
                group = self.groups[name]
                group.zone = field(one, "locality.zoneid", group.zone)
                seen.setdefault(name, []).append(bool(one.get("excluded")))
        for name, told in seen.items():  # what the database says counts, not when the operator noted it
            self.groups[name].excluded = any(told) or self.groups[name].skipped

    def configured(self, mode):
        """The database runs in this mode. Coordinators may already be as many as the wished mode asks for."""
        self.copies = COPIES.get(mode, 1)
        wished = self.setting("databaseConfiguration.redundancy_mode", mode)
        self.wanted_coordinators = {COORDINATORS.get(mode, 1), COORDINATORS.get(wished, 1)}
        if field(self.spec, "databaseConfiguration.usable_regions", 1) > 1:
            self.wanted_coordinators = {9}

    def setting(self, path, otherwise):
        value = self.sets.get(path, field(self.spec, path, otherwise))
        return otherwise if value is None else value

    def zones_of(self, kind):
        return {group.zone or group.name for group in self.groups.values() if group.kind == kind and group.serves()}

    def named(self, step):
        things = [step["subject"], *step.get("targets", [])]
        for thing in things:
            if thing["kind"] == "process_group" and thing["name"] not in self.groups:
                raise Broken(f"there is no process group {thing['name']}")
        return [self.groups[thing["name"]] for thing in things if thing["kind"] == "process_group"]

    def apply(self, step):
        action = step["action"].replace("-", "_")
        if action == "add_process_group":
            return self.add(step)
        known = getattr(self, action, None)
        if known is not None:
            return known(self.named(step), step)
        if action not in HARMLESS:
            raise Broken(f"{step['action']} is no step")
        self.named(step)
        return None

    def add(self, step):
        for thing in [step["subject"], *step.get("targets", [])]:
            if thing["name"] in self.groups:
                raise Broken(f"{thing['name']} is there already")
            group = Group(thing["name"], thing["group"], thing["name"], None)
            group.has_pod = False
            group.made = -1
            self.groups[group.name] = group

    def mark_for_removal(self, groups, step):
        for group in groups:
            if group.marked:
                raise Broken(f"{group.name} is marked already")
            group.marked = True
            group.skipped = group.skipped or group.name in (self.setting("processGroupsToRemoveWithoutExclusion", None) or [])
            group.excluded = group.excluded or group.skipped or group.kind == "test"

    def create_pod(self, groups, step):
        for group in groups:
            if group.has_pod or group.marked and group.excluded:
                raise Broken(f"{group.name} gets a pod: it has one, or is on its way out")
            group.has_pod, group.sick = True, False
            group.made = None if group.made is None else after_seconds(step)
            self.down.discard(group.zone)

    def exclude(self, groups, step):
        tolerance = {1: 0, 2: 1, 3: 2}[self.copies]
        for group in groups:
            if not group.marked or group.excluded and not group.skipped and group.has_pod:
                raise Broken(f"{group.name} is excluded: marked {group.marked}, excluded before {group.excluded}")
            group.never_seen = group.made == after_seconds(step)
        for kind in {group.kind for group in groups}:
            leaving = [group for group in groups if group.kind == kind and group.has_pod and not group.sick and not group.never_seen]
            valid = [group for group in self.groups.values() if group.kind == kind and group.serves() and not group.sick and not group.never_seen]
            desired = sum(1 for group in self.final.values() if group == kind)
            if leaving and self.has_limits and len(valid) - len(leaving) + tolerance < desired:
                raise Broken(f"{len(leaving)} of {len(valid)} servers of class {kind} are excluded, and {desired} are wanted")
        for group in groups:
            group.excluded = True
        for kind in {"storage", "log"} & {group.kind for group in groups}:
            left = self.zones_of(kind)
            if len(left) < min(self.copies, len(self.began_with[kind])) and kind in self.final.values() and not self.is_unsafe:
                raise Broken(f"class {kind} is left in {len(left)} zones, and {self.copies} hold the copies")

    def delete_process_group_resources(self, groups, step):
        mode, now = self.setting("automationOptions.removalMode", "Zone"), after_seconds(step)
        for group in groups:
            if not group.marked:
                raise Broken(f"{group.name} is deleted, and not marked for removal")
            if group.name in (self.setting("processGroupsToRemoveWithoutExclusion", None) or []):
                group.skipped = group.excluded = True
            if not group.excluded and not (self.may_skip_exclusion and (group.sick or not group.has_pod)):
                raise Broken(f"{group.name} is deleted before it is excluded")
            # The operator sees a coordinator by its process; one whose process is gone is none to it.
            if group.name in self.coordinators and not group.sick:
                raise Broken(f"{group.name} is deleted and is a coordinator")
            if group.gone:
                raise Broken(f"{group.name} is deleted twice")
        if mode != "All" and self.has_limits:
            zones = {group.zone for group in groups if group.has_pod and not group.never_seen}
            if len(zones) > 1 or mode == "ProcessGroup" and len(groups) > 1:
                raise Broken(f"pods of {sorted(zones)} are deleted in one step, and the mode is {mode}")
            pause = self.setting("automationOptions.waitBetweenRemovalsSeconds", 60)
            if self.removed_at is not None and now - self.removed_at < max(0, pause):
                raise Broken(f"{now - self.removed_at} s after the removal before, and {pause} are asked for")
        self.removed_at = now
        for group in groups:
            group.has_pod, group.gone = False, True
        self.keep_majority()

    def delete_pod(self, groups, step):
        mode = self.setting("automationOptions.deletionMode", "Zone")
        zones = {group.zone for group in groups}
        for group in groups:
            if not group.has_pod:
                raise Broken(f"{group.name} has no pod to delete")
        if mode != "All" and self.has_limits and (len(zones) > 1 or mode == "ProcessGroup" and len(groups) > 1):
            raise Broken(f"pods of {sorted(zones)} are deleted in one step, and the mode is {mode}")
        if mode != "All" and self.down - zones:
            raise Broken(f"pods of {sorted(zones)} are deleted while those of {sorted(self.down)} are not back")
        for group in groups:
            group.has_pod = False
        self.down |= zones
        if mode != "All":
            self.keep_majority()

    def change_coordinators(self, groups, step):
        names = {group.name for group in groups}
        stay = {name for name in self.coordinators - names if name not in self.groups or self.groups[name].serves()}
        foreign = {name for name in stay if name not in self.groups}
        told = names
        for wanted in sorted(self.wanted_coordinators):
            names = told | set(sorted(stay)[:max(0, wanted - len(told))])
            if len(names) == wanted:
                break
        for group in groups:
            if not self.can_coordinate(group):
                raise Broken(f"{group.name} becomes a coordinator: marked {group.marked}, excluded {group.excluded}, pod {group.has_pod}")
        zones = [group.zone for group in groups]
        if len(set(zones)) < len(zones):
            raise Broken(f"coordinators share a zone: {sorted(zones)}")
        if not foreign and len(names) not in self.wanted_coordinators:
            raise Broken(f"{len(names)} coordinators in place of {sorted(self.wanted_coordinators)}")
        self.keep_majority()
        self.coordinators = names

    def can_coordinate(self, group):
        return group.serves() and not group.marked and group.kind in WITH_DISK

    def configure_database(self, groups, step):
        for change in step.get("changes", []):
            if change["path"].endswith("redundancy_mode"):
                self.configured(change["to"])

    def has_majority(self):
        up = [name for name in self.coordinators if name not in self.groups or self.groups[name].has_pod and not self.groups[name].sick]
        return not self.coordinators or 2 * len(up) > len(self.coordinators)

    def keep_majority(self):
        if self.had_majority and not self.may_lose_coordinators and not self.has_majority():
            raise Broken(f"most of the coordinators {sorted(self.coordinators)} have no pod")

    def include(self, groups, step):
        for group in groups:
            if not group.gone and group.has_pod:
                raise Broken(f"{group.name} is included and has a pod")
            group.excluded = False

    def drop_process_group(self, groups, step):
        for group in groups:
            if group.has_pod or not group.marked:
                raise Broken(f"{group.name} is forgotten: marked {group.marked}, pod {group.has_pod}")
            if group.excluded and not group.skipped and group.kind in WITH_DISK:
                raise Broken(f"{group.name} is forgotten before it is included again")
            del self.groups[group.name]

    def set_maintenance(self, groups, step):
        self.maintenance = step["subject"]["name"]

    def reset_maintenance(self, groups, step):
        if self.down:
            raise Broken(f"maintenance ends while pods of {sorted(self.down)} are away")
        self.maintenance = None

    def finish(self):
        """A plan that says it is done has left nothing half done."""
        if self.plan["result"] != "changes" or self.plan["blocked"] or self.plan.get("later"):
            return
        left = [group.name for group in self.groups.values() if group.marked or group.excluded or not group.has_pod]
        if left:
            raise Broken(f"{left} are left marked, excluded or without a pod")
        for name in self.coordinators:
            if name in self.groups and self.groups[name].excluded:
                raise Broken(f"the coordinator {name} is excluded")


HARMLESS = {"set_status", "update_configmap", "create_pvc", "create_service", "wait", "sync_pod_config", "kill_processes",
            "update_sidecar_image", "update_pod_metadata"}


def at_the_end(model, plan):
    """Class of each group that is there when the plan is done and stays."""
    kinds = {group.name: group.kind for group in model.groups.values() if not group.marked}
    for step in plan["steps"]:
        for thing in [step["subject"], *step.get("targets", [])]:
            if step["action"] == "add-process-group":
                kinds[thing["name"]] = thing["group"]
            elif step["action"] == "mark-for-removal":
                kinds.pop(thing["name"], None)
    return kinds


def replay(inputs, plan):
    """None, or the first step that breaks a rule, with the rule."""
    model = Model(inputs, plan)
    model.final = at_the_end(model, plan)
    for n, step in enumerate(plan["steps"], 1):
        try:
            if step["n"] != n:
                raise Broken(f"it has the number {step['n']}")
            model.apply(step)
        except Broken as error:
            return f"step {n} ({step['action']} {step['subject']['name']}): {error}"
    try:
        model.finish()
    except Broken as error:
        return str(error)
    return None

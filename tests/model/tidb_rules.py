# SPDX-License-Identifier: BSD-2-Clause
"""An independent model of what the steps of an htidb plan do to a TiDB cluster, from the manuals of database and operator and from
ballast-plan(5) alone. The places of pods and stores are taken from what the plan says was there (`objects`, `before`); states of stores,
members and leaders are read from the inputs. It knows what must hold so that no copy and no majority is lost: a store leaves as a
Tombstone, its pod after it and the highest first; PD keeps its majority and hands the leader on; one pod of a component at a time; PD
before TiKV before TiDB.
"""
import json
import re

import yaml

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
ORDER = {"pd": 0, "tikv": 1, "tidb": 2}
PODS = {"scale-in", "scale-out", "restart-pod", "failover-replace"}


class Broken(Exception):
    """The step that breaks a rule, and which."""


class Unknown(Exception):
    """An input that this model does not read."""


def documents(paths):
    for path in paths:
        with open(path, encoding="utf-8") as file:
            yield from (one for one in yaml.load_all(file, Loader=Loader) if isinstance(one, (dict, list)))


def walk(value):
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from walk(item)


def ordinal(name):
    found = re.search(r"-(\d+)$", name)
    return int(found.group(1)) if found else None


class Model:
    def __init__(self, inputs, plan):
        self.plan = plan
        self.has_groups = plan["profile"] == "v2"
        self.is_old = plan["profile"] == "v1.0"
        objects = plan.get("objects", {})
        self.pods = {}  # set -> names
        for name, pod in objects.get("pod", {}).items():
            self.pods.setdefault(pod["set"], set()).add(name)
        self.counts = {name: figures["replicas"] for name, figures in plan["before"].items()
                       if isinstance(figures, dict) and isinstance(figures.get("replicas"), int)}
        self.stores = {pod["pod"]: store for store, pod in objects.get("store", {}).items() if pod.get("pod")}
        self.read(inputs)
        codes = {warning["code"] for warning in plan["warnings"]}
        self.is_forced = "W-FORCE-UPGRADE" in codes
        self.suspends = "W-SUSPEND" in codes
        # Peers that stand in for failed ones come on top of the wished number.
        self.fails_over = "W-FAILOVER-PODS-KEPT" in codes or any(step["action"] == "failover-mark" for step in plan["steps"])
        self.rolling, self.last = {}, 0  # set -> the lowest ordinal that was restarted; the component that is under way
        self.marked, self.phases = set(), {}
        self.dropped, self.left = set(), set()  # sets without their object, for a moment; pods whose store was told to go

    def read(self, inputs):
        """States of stores by pod, health of PD's members, the leader, copies."""
        self.states, self.health, self.leader, self.copies = {}, {}, None, 3
        paths = [path for key in ("current", "pd") for path in inputs.get(key, [])]
        text = "".join(open(path, encoding="utf-8").read() for key in ("current", "desired") for path in inputs.get(key, []))
        words = " ".join(inputs.get("words", []))
        self.has_slots = "delete-slots" in text + words
        self.is_unsafe = "--allow-unsafe" in words
        for document in documents(paths):
            for part in walk(document):
                self.read_part(part)
        if (told := re.search(r"--max-replicas[ =](\d+)", words)) is not None:
            self.copies = int(told.group(1))

    def read_part(self, part):
        store = part.get("store") if isinstance(part.get("store"), dict) else part
        if isinstance(store.get("address"), str) and "state_name" in store:
            self.states[store["address"].split(".")[0]] = store["state_name"]
        elif isinstance(part.get("podName"), str) and "state" in part:
            self.states.setdefault(part["podName"], part["state"])
        if isinstance(part.get("health"), bool) and isinstance(part.get("name"), str) and "client" not in part.get("name"):
            self.health[part["name"]] = part["health"] and self.health.get(part["name"], True)
        if isinstance(part.get("leader"), dict) and isinstance(part["leader"].get("name"), str):
            self.leader = part["leader"]["name"]
        for key in ("max-replicas", "maxReplicas"):
            if isinstance(part.get(key), int):
                self.copies = part[key]

    def component(self, step):
        return step.get("tidb", {}).get("component")

    def apply(self, step):
        action = step["action"]
        if action not in ACTIONS:
            raise Broken(f"{action} is no step")
        component = self.component(step)
        if component in ORDER and not self.has_groups and action in PODS:
            if ORDER[component] < self.last:
                raise Broken(f"{component} goes on after a later component began")
            self.last = ORDER[component]
        if action in PODS and not self.has_groups and not self.is_forced and component is not None:
            if self.phases.get(component) == step["phase"] and not (component == "tidb" and self.is_old):
                raise Broken(f"two pods of {component} at a time")
            self.phases[component] = step["phase"]
        handler = getattr(self, action.replace("-", "_"), None)
        if handler is not None:
            handler(step, step["subject"]["name"], step["subject"].get("group", ""))

    def replicas(self, step, where, change):
        before, after = step.get("before", {}).get("replicas"), step.get("after", {}).get("replicas")
        known = self.counts.get(where, 0)
        if before is not None and (before != known or after != known + change):
            raise Broken(f"{where} has {known} pods, and the step leads from {before} to {after}")
        self.counts[where] = known + change

    def create_statefulset(self, step, name, where):
        count = int(re.search(r"replicas (\d+)", step.get("detail", "replicas 0")).group(1))
        if self.counts.get(where, 0) > 0 and where in self.dropped:
            self.dropped.discard(where)  # made again around its pods
            return
        self.counts[where] = count
        self.pods[where] = {f"{name}-{n}" for n in range(count)}

    def delete_statefulset(self, step, name, where):
        if self.counts.get(where, 0) > 0:
            if not self.suspends and not self.keeps_pods(step, name):
                raise Broken(f"{name} is deleted and has {self.counts[where]} pods")
            self.dropped.add(where)

    def keeps_pods(self, step, name):
        return any(other["action"] == "create-statefulset" and other["subject"]["name"] == name and other["n"] > step["n"]
                   for other in self.plan["steps"])

    def scale_out(self, step, name, where):
        pods = self.pods.setdefault(where, set())
        if not self.has_groups:
            if name in pods:
                raise Broken(f"{name} is there already")
            before = [pod for pod in pods if ordinal(pod) is not None and ordinal(pod) > ordinal(name)]
            if before and not self.has_slots:
                raise Broken(f"{name} is added below {sorted(before)}")
        self.replicas(step, where, +1)
        pods.add(name)

    def scale_in(self, step, name, where):
        pods = self.pods.get(where, set())
        if not self.has_groups:
            if name not in pods:
                raise Broken(f"there is no pod {name}")
            if not self.has_slots and any(ordinal(pod) > ordinal(name) for pod in pods):
                raise Broken(f"{name} leaves before higher ones: {sorted(pods)}")
        component = self.component(step)
        if component == "tikv":
            self.store_leaves(step, name)
        elif component == "pd":
            self.member_leaves(step, name, where)
        self.replicas(step, where, -1)
        pods.discard(name)

    def up_stores(self):
        names = {pod for where, pods in self.pods.items() if where.startswith("tikv/") for pod in pods}
        return [name for name in names | (set(self.states) - self.left) if self.states.get(name, "Up") == "Up"]

    def store_leaves(self, step, name):
        told = " | ".join(step.get("substeps", []))
        waits = " | ".join(wait["text"] for wait in step.get("waits_for", []))
        state = self.states.get(name, "Up")
        if self.has_groups:
            order = ["offline: true", "Removed", "delete the instance"]
        elif state == "Tombstone":
            order = ["mark claim", "lower replicas"]
        else:
            order = ["Tombstone", "mark claim", "lower replicas"]
            if state != "Offline":
                order.insert(0, "delete")
        at = -1
        for word in order:
            at = told.find(word, at + 1)
            if at < 0:
                raise Broken(f"{name}: {word!r} is missing or comes too early in {told!r}")
        if not self.has_groups and state != "Tombstone" and waits.find("Tombstone") < 0:
            raise Broken(f"{name} is not waited for to become Tombstone")
        if not self.has_groups and waits.find("is gone") < 0:
            raise Broken(f"{name} is not waited for to be gone")
        up = sum(count for where, count in self.counts.items() if where.startswith("tikv/")) if self.has_groups else len(self.up_stores())
        limit = up - (state == "Up")
        if state == "Up" and limit < self.copies and not self.is_unsafe and not self.is_old:
            raise Broken(f"{name} leaves {limit} stores for {self.copies} copies")
        self.states[name] = "Tombstone"
        self.left = self.left | {name}

    def members(self):
        return {pod for where, pods in self.pods.items() if where.startswith("pd/") for pod in pods}

    def well(self, names):
        return sum(1 for name in names if self.health.get(name, True))

    def member_leaves(self, step, name, where):
        rest = self.members() - {name}
        if not self.has_groups and rest and self.well(rest) < len(rest) // 2 + 1 and not self.is_unsafe and not self.is_forced:
            raise Broken(f"{name} leaves {self.well(rest)} well of {len(rest)} members")
        told = " | ".join(step.get("substeps", []))
        if rest and not self.is_old and not self.has_groups and not self.is_forced:
            if self.leader == name:
                if "transfer leader" not in told:
                    raise Broken(f"{name} leads, and its leadership is not handed on")
                self.leader = None
            at = told.find("delete member")
            if at < 0 or told.find("lower replicas") < at:
                raise Broken(f"{name} is not deleted as a member before its pod: {told!r}")

    def restart_pod(self, step, name, where):
        if self.has_groups:
            return
        pods, number = self.pods.get(where, set()), ordinal(name)
        if name not in pods:
            raise Broken(f"there is no pod {name}")
        if where in self.rolling and number >= self.rolling[where]:
            raise Broken(f"{name} restarts after {self.rolling[where]}")
        others = [other for other, lowest in self.rolling.items() if other != where and other.split("/")[0] == where.split("/")[0] and
                  lowest > min((ordinal(pod) for pod in self.pods.get(other, set())), default=0)]
        if others and not self.is_forced:
            raise Broken(f"{where} rolls while {others} are not done")
        self.rolling[where] = number
        told = " | ".join(step.get("substeps", []))
        component = self.component(step)
        if component == "pd":
            rest = self.members() - {name}
            if len(rest) >= 2 and self.health.get(name, True) and self.well(rest) < (len(rest) + 1) // 2 + 1 and not self.is_unsafe and not self.is_forced:
                raise Broken(f"{name} restarts and leaves {self.well(rest)} well of {len(rest) + 1} members")
            self.health[name] = True
        if component == "tikv" and len(self.up_stores()) > 1 and "W-SINGLE-TIKV" not in self.codes() and not self.is_free(told, name):
            at = told.find("evict leaders")
            if at < 0 or told.find("set partition") < at:
                raise Broken(f"{name} restarts before its leaders are elsewhere: {told!r}")
            self.states[name] = "Up"

    def is_free(self, told, name):
        """Without a store, or let go by the StatefulSet already."""
        return "frees it already" in told or bool(self.states) and name not in self.states

    def codes(self):
        return {warning["code"] for warning in self.plan["warnings"]}

    def failover_mark(self, step, name, where):
        if self.component(step) == "pd":
            if self.health.get(name, True):
                raise Broken(f"the member {name} is well")
            if 2 * self.well(self.members()) <= len(self.members()):
                raise Broken("PD has no majority to replace a member")
        if self.component(step) == "tikv" and self.states.get(name, "Up") != "Down":
            raise Broken(f"the store of {name} is {self.states.get(name, 'Up')}")
        self.marked.add(name)

    def failover_replace(self, step, name, where):
        if name not in self.marked and self.health.get(name, True):
            raise Broken(f"{name} is replaced, and nothing marked it")
        self.health[name] = True

    def finish(self):
        if self.plan["result"] != "changes" or self.plan["blocked"] or self.plan.get("deferred"):
            return
        for where, figures in self.plan["after"].items():
            wished = figures.get("replicas") if isinstance(figures, dict) else None
            has = self.counts.get(where, 0)
            if isinstance(wished, int) and has != wished and not self.suspends and not (has > wished and self.fails_over):
                raise Broken(f"{where} ends with {has} pods in place of {wished}")


ACTIONS = {"restart-pod", "scale-in", "update-template", "create-service", "create-statefulset", "create-configmap", "scale-out", "create-discovery",
           "delete-statefulset", "delete-configmap", "failover-clear", "failover-mark", "wait", "failover-replace", "mark-instance", "expand-volume",
           "label-pods", "delete-service", "update-configmap", "update-service"}


def replay(inputs, plan):
    """None, or the first step that breaks a rule, with the rule."""
    model = Model(inputs, plan)
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

# SPDX-License-Identifier: BSD-2-Clause
"""Small random allocator requests, as JSON that can be made smaller."""
import copy
import json
import random

SPEC_KEYS = ("memory-size", "cpu-count", "disk-size", "disk-count", "nic-count", "spindle-use")
TEMPLATES = ["drbd"] * 9 + ["plain"] * 4 + ["ext", "rbd", "sharedfile", "gluster", "blockdev", "file", "diskless"]
INSTANCE_TAGS = ["svc:web", "svc:db", "rack:a", "rack:b", "other", "power:1"]
NODE_TAGS = ["rack:a", "rack:b", "power:1", "power:2", "hv:old", "hv:new", "other"]
CLUSTER_TAGS = ["htools:iextags:svc", "htools:nlocation:rack", "htools:nlocation:power", "htools:desiredlocation:rack",
                "htools:migration:hv", "htools:allowmigration:hv:old::hv:new", "unrelated"]
NETWORKS = ["net-1", "net-2"]


class Document:
    """A request document; `value` is the JSON value."""

    def __init__(self, value):
        self.value = value

    def render(self):
        return json.dumps(self.value, ensure_ascii=False).encode("utf-8", "surrogatepass")

    def smaller(self):
        for name in ("instances", "nodes", "nodegroups"):
            for key in reversed(list(self.value.get(name) or {})):
                if isinstance(self.value[name], dict):
                    cut = copy.deepcopy(self)
                    del cut.value[name][key]
                    yield cut
        request = self.value.get("request")
        for key in ("instances", "target_groups"):
            for i in reversed(range(len(request.get(key) or []) if isinstance(request, dict) else 0)):
                cut = copy.deepcopy(self)
                del cut.value["request"][key][i]
                yield cut
        for i in reversed(range(len(self.value.get("cluster_tags") or []))):
            cut = copy.deepcopy(self)
            del cut.value["cluster_tags"][i]
            yield cut
        for name in ("nodes", "instances", "nodegroups"):
            members = self.value.get(name)
            for key, member in (members if isinstance(members, dict) else {}).items():
                if isinstance(member, dict) and member.get("tags"):
                    cut = copy.deepcopy(self)
                    cut.value[name][key]["tags"] = []
                    yield cut


class Builder:
    """Draws one document; every choice comes from the one random source."""

    def __init__(self, rng):
        self.rng = rng
        self.suffix = rng.choice(["", ".example.com", ".lab"])
        self.is_exclusive = rng.random() < 0.12
        self.has_tags = rng.random() < 0.5
        self.has_forthcoming = rng.random() < 0.15
        self.is_odd = rng.random() < 0.2
        self.is_tight = rng.random() < 0.35
        self.memory = rng.choice([4096, 8192, 16384, 65536])
        self.disk = rng.choice([51200, 102400, 204800])
        self.used = {}

    def chance(self, probability):
        return self.rng.random() < probability

    def some(self, items, most):
        return [self.rng.choice(items) for _ in range(self.rng.randint(0, most))]

    def spec(self, *values):
        return dict(zip(SPEC_KEYS, values))

    def policy(self):
        rng = self.rng
        pairs = [{"min": self.spec(128, 1, 1024, 1, 1, 1), "max": self.spec(32768, 8, 1048576, 16, 8, 12)}]
        if self.chance(0.15):
            pairs = [{"min": self.spec(1024, 1, 10240, 1, 1, 1), "max": self.spec(4096, 8, 20480, 2, 8, 2)},
                     {"min": self.spec(512, 2, 2048, 1, 1, 1), "max": self.spec(8192, 8, 81920, 1, 8, 4)}]
        elif self.chance(0.05):
            pairs = []
        templates = ["drbd", "plain", "ext", "rbd", "sharedfile", "gluster", "blockdev", "file", "diskless"]
        if self.chance(0.15):
            templates = rng.sample(templates, rng.randint(1, 6))
        return {"minmax": pairs, "std": self.spec(128, 1, 1024, 1, 1, 1), "disk-templates": templates,
                "vcpu-ratio": rng.choice([4.0, 4, 1.5, 64, 2]), "spindle-ratio": rng.choice([32.0, 32, 4, 12.5])}

    def group(self, number):
        policies = ["preferred"] * 4 + ["last_resort", "unallocable"]
        return {"name": f"group{number}", "alloc_policy": self.rng.choice(policies),
                "networks": [n for n in NETWORKS if self.chance(0.6)], "tags": [], "ipolicy": self.policy()}

    def node(self, groups):
        rng = self.rng
        scale = rng.choice([1, 1, 1, 2])
        return {"offline": self.chance(0.06), "drained": self.chance(0.06), "group": rng.choice(groups),
                "vm_capable": not self.chance(0.03), "tags": self.some(NODE_TAGS, 2) if self.has_tags else [],
                "ndparams": {"exclusive_storage": self.is_exclusive and self.chance(0.8), "spindle_count": rng.choice([1, 1, 2, 4])},
                "total_spindles": 12, "free_spindles": rng.randint(0, 12),
                "total_memory": self.memory * scale, "reserved_memory": rng.choice([0, 512, 1024]),
                "free_memory": 0, "total_disk": self.disk * scale, "free_disk": 0, "total_cpus": rng.choice([4, 8, 8, 16]),
                "reserved_cpus": rng.choice([0, 1, 1, 2])}

    def description(self, template=None):
        rng = self.rng
        template = template or rng.choice(TEMPLATES)
        sizes = [rng.choice([1024, 2048, 4096, 10240]) for _ in range(rng.choice([1, 1, 1, 2]))]
        if template == "diskless":
            sizes = []
        disks = []
        for size in sizes:
            disk = {"size": size, "mode": "rw"}
            if self.is_exclusive and self.chance(0.8):
                disk["spindles"] = rng.choice([1, 1, 2])
            disks.append(disk)
        extra = 128 * len(sizes) if template == "drbd" else 0
        total = 0 if template in ("diskless", "blockdev") else sum(sizes) + extra
        item = {"disk_space_total": total, "disks": disks, "memory": rng.choice([128, 512, 512, 1024, 2048, 3000]),
                "vcpus": rng.choice([1, 1, 2, 4]), "tags": self.some(INSTANCE_TAGS, 2) if self.has_tags else [],
                "disk_template": template, "spindle_use": rng.choice([1, 1, 1, 2]), "nics": [], "os": "x", "hypervisor": "kvm"}
        if self.has_forthcoming and self.chance(0.3):
            item["forthcoming"] = True
        return item

    def instance(self, nodes):
        rng = self.rng
        item = self.description()
        names = list(nodes)
        primary = rng.choice(names)
        item["nodes"] = [primary]
        item["admin_state"] = rng.choice(["up"] * 6 + ["down", "offline"])
        if item["disk_template"] == "drbd":
            near = [n for n in names if n != primary and (nodes[n]["group"] == nodes[primary]["group"] or self.chance(0.04))]
            if near:
                item["nodes"].append(rng.choice(near))
            elif self.chance(0.8):
                item["disk_template"] = "plain"
        is_local = item["disk_template"] in ("drbd", "plain")
        for place, name in enumerate(item["nodes"]):
            memory, disk = self.used.get(name, (0, 0))
            runs = place == 0 and item["admin_state"] == "up" and not item.get("forthcoming")
            self.used[name] = (memory + (item["memory"] if runs else 0),
                               disk + (item["disk_space_total"] if is_local and not item.get("forthcoming") else 0))
        return item

    def fill_figures(self, nodes):
        for name, node in nodes.items():
            memory, disk = self.used.get(name, (0, 0))
            node["free_memory"] = max(0, node["total_memory"] - node["reserved_memory"] - memory)
            node["free_disk"] = max(0, node["total_disk"] - disk)
            if self.is_tight and self.chance(0.7):
                node["free_memory"] = self.rng.choice([700, 1500, 2500, node["free_memory"]])
                node["total_memory"] = node["free_memory"] + node["reserved_memory"] + memory
            if self.is_odd and self.chance(0.3):
                node["free_memory"] = self.rng.randint(0, node["total_memory"])
                node["free_disk"] = self.rng.randint(0, node["total_disk"])
            if self.chance(0.02):
                node[self.rng.choice(["total_memory", "total_disk", "total_cpus", "free_memory", "free_disk"])] = 0
            if node["offline"] or not node["vm_capable"]:
                for key in ("total_memory", "reserved_memory", "free_memory", "total_disk", "free_disk", "total_cpus", "reserved_cpus"):
                    del node[key]

    def wanted(self, name):
        template = self.rng.choice([None, None, "drbd", "plain", "ext"])
        item = self.description(template)
        item["name"] = name
        item["required_nodes"] = 2 if item["disk_template"] == "drbd" else 1
        if self.chance(0.06):
            item["required_nodes"] = self.rng.choice([1, 2, 2, 3, 0])
        if self.chance(0.15):
            item["nics"] = [{"mac": "aa:00:00:00:00:01", "ip": None, "network": self.rng.choice(NETWORKS + [None])}]
            self.more_of_card(item["nics"][0])
        return item

    def more_of_card(self, card):
        """Drawn from a generator of its own, so that the rest of a seed's document stays what it is."""
        own = random.Random(str(card) + self.suffix)
        card.update({key: own.choice([None, "x", "br\u00e90"]) for key in ("ip", "link", "bridge") if own.random() < 0.4})
        if own.random() < 0.4:
            card["mode"] = own.choice(["bridged", "routed", "openvswitch", None])

    def request(self, kind, groups, nodes, instances):
        rng = self.rng
        names = list(instances) or ["nobody"]
        some = rng.sample(names, min(len(names), rng.randint(1, 4)))
        if self.chance(0.1):
            some.append(rng.choice(some))
        if self.chance(0.2) and self.suffix:
            some = [n.removesuffix(self.suffix) for n in some]
        if kind == "allocate":
            item = {"type": kind, **self.wanted("new" + self.suffix)}
            if self.chance(0.25):
                group = rng.choice(list(groups))
                item["group_name"] = rng.choice([groups[group]["name"]] * 4 + [group, "nowhere"])
            if self.chance(0.15):
                item["restrict-to-nodes"] = rng.sample(list(nodes), rng.randint(0, len(nodes)))
            return item
        if kind == "multi-allocate":
            item = {"type": kind, "instances": [self.wanted(f"new{i}" + self.suffix) for i in range(rng.randint(1, 4))]}
            if self.chance(0.4):
                item["group_name"] = groups[rng.choice(list(groups))]["name"]
            return item
        if kind == "node-evacuate":
            if self.chance(0.6) and instances:
                node = rng.choice(list(nodes))
                some = [n for n, i in instances.items() if node in i["nodes"]] or some
            return {"type": kind, "instances": some, "evac_mode": rng.choice(["primary-only", "secondary-only", "all", "all"])}
        if kind == "relocate":
            name = rng.choice(names)
            old = instances.get(name, {"nodes": ["nobody"], "disk_template": "drbd"})
            source = old["nodes"][-1]
            if self.chance(0.1):
                source = rng.choice(list(nodes))
            return {"type": kind, "name": name, "relocate_from": [source], "required_nodes": 1 if self.chance(0.95) else 2,
                    "disk_space_total": 0}
        if kind == "change-group":
            targets = [rng.choice([g, groups[g]["name"]]) for g in groups if self.chance(0.5)]
            return {"type": kind, "instances": some, "target_groups": targets}
        plain = [n for n in names if len(instances.get(n, {"nodes": [1, 2]})["nodes"]) == 1]
        return {"type": kind, "name": rng.choice(plain or names)}

    def build(self, kind):
        rng = self.rng
        groups = {f"uuid-{i}": self.group(i) for i in range(rng.choice([1, 1, 1, 2, 3]))}
        nodes = {f"node{i}" + self.suffix: self.node(list(groups)) for i in range(rng.randint(2, 9))}
        instances = {f"inst{i}" + self.suffix: self.instance(nodes) for i in range(rng.choice([0, 1, 3, 6, 10, 14]))}
        self.fill_figures(nodes)
        tags = self.some(CLUSTER_TAGS, 5) if self.has_tags else []
        return Document({"version": 2, "cluster_name": "c", "cluster_tags": tags,
                         "enabled_hypervisors": rng.choice([["xen-pvm"], ["kvm"], ["fake", "kvm"], []]),
                         "nodegroups": groups, "nodes": nodes, "instances": instances,
                         "request": self.request(kind, groups, nodes, instances)})

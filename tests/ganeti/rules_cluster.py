# SPDX-License-Identifier: BSD-2-Clause
"""The small cluster of rules_matrix.py, with and without storage units; each rule of administrators in every form that says it; requests
of the allocator. Nodes n1 and n2 carry the load, n3 and n4 are empty, so that every planner wants what the rules forbid.
"""
NODES = ["n1", "n2", "n3", "n4"]
RACK = {"n1": "r1", "n2": "r1", "n3": "r2", "n4": "r2"}
MEMORY, OWN, DISK = 65536, 1024, 400000
LOAD = {f"a{k}": (4096, 20000, "drbd", "n1", "n2") for k in range(1, 7)}
LOAD |= {f"s{k}": (4096, 10000, "sharedfile", "n1", None) for k in range(1, 5)}
TAGS = {"a1": ["lic:a", "pair:1"], "a2": ["lic:a"], "a3": ["pair:1"], "a4": ["svc:web"], "a5": ["svc:web"], "s1": ["lic:a", "pair:2"],
        "s2": ["pair:2"], "s3": ["svc:db"], "s4": ["svc:db"]}
UNIT = {"drbd": "drbd8,ssd", "sharedfile": "sharedfile,pool"}
POLICY = "|128,1,1024,1,1,1|128,1,1024,1,1,1;32768,8,1048576,16,8,12|drbd,plain,sharedfile,diskless|8.0|64.0"


class Rule:
    """`model` is the rule in whole names, as admin_rules.World knows it; the rest are ways to say it. `told` stands in every refusal."""

    def __init__(self, name, model, written=None, options=(), cluster_tags=(), instance_tags=(), told=None, needs_units=False):
        self.name, self.model, self.written = name, model, {"name": name, **(written or model[0])}
        self.options, self.cluster_tags, self.instance_tags = list(options), list(cluster_tags), dict(instance_tags)
        self.told, self.needs_units = told or name, needs_units

    def forms(self):
        """Name of the form, tags of the cluster, tags of instances, the rules of a file, options."""
        yield "file", [], {}, [self.written], []
        if self.options:
            yield "options", [], {}, [], self.options
        if self.cluster_tags:
            yield "cluster tags", self.cluster_tags, {}, [], []
        if self.instance_tags:
            yield "instance tags", [], self.instance_tags, [], []


def tagged(names, tag):
    return {name: [tag] for name in names}


PINNED, PAIRS, PARTED = ["a1", "a2", "s1"], [["a1", "a3"], ["s1", "s2"]], [["a4", "a5"], ["s3", "s4"]]
RULES = [
    Rule("pin", [{"pin": PINNED, "to": ["n1", "n2"]}], {"pin": {"tag": "lic"}}, ["--pin", "lic"], ["ballast:pin:lic"],
         tagged(PINNED, "ballast:pin:lic:a"), told="lic|pin"),
    Rule("apart", [{"apart": names} for names in PARTED], {"apart": {"tag": "svc"}}, ["--apart", "svc"], ["ballast:apart:svc"],
         {**tagged(PARTED[0], "ballast:apart:web"), **tagged(PARTED[1], "ballast:apart:db")}, told="svc|apart"),
    Rule("together", [{"together": names} for names in PAIRS], {"together": {"tag": "pair"}}, ["--together", "pair"], ["ballast:together:pair"],
         {**tagged(PAIRS[0], "ballast:together:1"), **tagged(PAIRS[1], "ballast:together:2")}, told="pair|together"),
    Rule("excluded", [{"exclude-nodes": ["n3"]}], None, ["--exclude-nodes", "n3"], told="excluded|exclude-nodes"),
    Rule("kept", [{"keep-instances": ["a6", "s4"]}]),
    Rule("reserve", [{"reserve-memory": 61440, "on": ["n3"]}], {"reserve-memory": "60g", "on": ["n3"]},
         ["--reserve", "memory@n3=60g"], told="reserve"),
    Rule("forbidden", [{"forbid-units": ["drbd8/ssd"], "on": ["n3"]}], None, ["--forbid-unit", "drbd8/ssd@n3"],
         told="forbid", needs_units=True),
]
PRICED = [Rule(f"priced {rule.name}", rule.model, {**rule.written, "name": f"priced {rule.name}", "price": 1000}, told=f"priced {rule.name}")
          for rule in RULES[:3]]


def cluster(with_units, cluster_tags=(), instance_tags=None, more=()):
    """`more`: instances beyond LOAD, as its items."""
    load = {**LOAD, **dict(more)}
    own = instance_tags or {}
    rows = []
    for name, (memory, disk, template, primary, secondary) in load.items():
        tags = ",".join(TAGS.get(name, []) + own.get(name, []))
        rows.append(f"{name}|{memory}|{disk}|1|running|Y|{primary}|{secondary or ''}|{template}|{tags}|1|-|N"
                    + (f"|{disk},{UNIT[template]}" if with_units else ""))
    lines = []
    for n, node in enumerate(NODES):
        memory = MEMORY - OWN - sum(one[0] for one in load.values() if one[3] == node)
        disk = DISK - sum(one[1] for one in load.values() if one[2] == "drbd" and node in one[3:])
        tags = f"rack:{RACK[node]}" + (",lic:a" if RACK[node] == "r1" else "")
        lines.append(f"{node}|{MEMORY}|{OWN}|{memory}|{DISK}|{disk}|16|{'M' if n == 0 else 'N'}|u|64|{tags}|N|0|1|1.0"
                     + (f"|{disk},{DISK},drbd8,ssd;860000,900000,sharedfile,pool" if with_units else ""))
    return "\n".join(["default|u|preferred||", "", *lines, "", *rows, "", *cluster_tags, "", POLICY, "default" + POLICY, ""])


def limits(memory, cpus, disk):
    return {"memory-size": memory, "cpu-count": cpus, "disk-size": disk, "disk-count": 16 if cpus > 1 else 1, "nic-count": 8, "spindle-use": 12}


def request(kind, **wish):
    """Of the allocator, to be asked with -t: its own cluster holds the names alone."""
    policy = {"minmax": [{"min": {**limits(128, 1, 1024), "nic-count": 0, "spindle-use": 1}, "max": limits(32768, 8, 1048576)}],
              "std": {**limits(128, 1, 1024), "nic-count": 1, "spindle-use": 1},
              "disk-templates": ["drbd", "plain", "sharedfile"], "vcpu-ratio": 8.0, "spindle-ratio": 64.0}
    node = {"total_memory": 1, "reserved_memory": 0, "free_memory": 1, "total_disk": 1, "free_disk": 1, "total_cpus": 1, "reserved_cpus": 1,
            "group": "u", "offline": False, "drained": False, "vm_capable": True, "tags": [], "total_spindles": 1, "free_spindles": 1,
            "ndparams": {"spindle_count": 1, "exclusive_storage": False, "cpu_speed": 1.0}, "primary_ip": "192.0.2.1"}
    instances = {}
    for name, (memory, disk, template, primary, secondary) in LOAD.items():
        instances[name] = {"memory": memory, "vcpus": 1, "disks": [{"size": disk, "mode": "rw"}], "disk_space_total": disk,
                           "disk_template": template, "nodes": [n for n in (primary, secondary) if n], "tags": [], "admin_state": "up",
                           "spindle_use": 1, "nics": [], "os": "x", "hypervisor": "kvm"}
    return {"version": 2, "cluster_name": "c", "cluster_tags": [], "enabled_hypervisors": ["kvm"], "ipolicy": policy,
            "nodegroups": {"u": {"name": "default", "alloc_policy": "preferred", "networks": [], "tags": [], "ipolicy": policy}},
            "nodes": {name: node for name in NODES}, "instances": instances, "request": {"type": kind, **wish}}


def wanted(name, template, tags, memory=4096):
    """A new instance of the request."""
    return {"name": name, "memory": memory, "vcpus": 1, "disk_space_total": 10000, "disks": [{"size": 10000, "mode": "rw"}],
            "disk_template": template, "required_nodes": 2 if template == "drbd" else 1, "nics": [], "os": "x", "tags": tags,
            "spindle_use": 1, "hypervisor": "kvm"}

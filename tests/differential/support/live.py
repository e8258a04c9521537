# SPDX-License-Identifier: BSD-2-Clause
"""A random cluster as a master tells it: the answers of the remote API and of LUXI, and the reports of the monitoring daemons."""
import contextlib
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))

import servers  # noqa: E402

SPEC = ["memory-size", "cpu-count", "disk-size", "disk-count", "nic-count", "spindle-use"]
TEMPLATES = ["drbd", "plain", "sharedfile"]
HYPERVISORS = ["kvm", "kvm", "xen-pvm", "fake", "lxc"]


class Document:
    """A JSON document that can be broken."""

    def __init__(self, value):
        self.value = value

    def render(self):
        return json.dumps(self.value).encode()

    def smaller(self):
        return iter(())


def number(text, default):
    try:
        return int(float(text))
    except ValueError:
        return default


def column(line, index, default):
    return line[index] if len(line) > index else default


def tags(text):
    return [tag for tag in text.split(",") if tag]


def policy(rng):
    least = dict(zip(SPEC, [128, 1, 1024, 1, 1, 1]))
    most = dict(zip(SPEC, [32768, 8, 1048576, 16, 8, 12]))
    return {"minmax": [{"min": least, "max": most}], "std": least, "disk-templates": TEMPLATES, "vcpu-ratio": rng.choice([4, 4.0, 0.5, 16]),
            "spindle-ratio": rng.choice([32, 32.0, 1.5])}


class Told:
    """What is drawn beside the text columns, once for all forms."""

    def __init__(self, rng, cluster):
        self.rng, self.cluster = rng, cluster
        self.policy = policy(rng)
        self.hypervisor = rng.choice(HYPERVISORS)
        names = cluster.node_names() or ["nobody"]
        self.master = rng.choice(names) if rng.random() < 0.98 else "elsewhere"
        self.has_spindles = rng.random() < 0.2

    def node(self, line):
        is_exclusive = column(line, 11, "N") == "Y"
        role = line[7]
        is_offline = role == "Y" and self.rng.random() < 0.6
        told = {"name": line[0], "offline": is_offline, "drained": role == "Y" and not is_offline, "vm_capable": True, "group.uuid": line[8],
                "tags": tags(column(line, 10, ""))}
        live = {"mtotal": number(line[1], 4096), "mnode": number(line[2], 512), "mfree": number(line[3], 1024), "dtotal": number(line[4], 102400),
                "dfree": number(line[5], 51200), "ctotal": number(line[6], 4), "cnos": number(column(line, 13, "1"), 1),
                "sptotal": number(column(line, 9, "1"), 1) if self.has_spindles or is_exclusive else None,
                "spfree": number(column(line, 12, "0"), 0) if self.has_spindles or is_exclusive else None}
        figures = {"spindle_count": number(column(line, 9, "1"), 1), "exclusive_storage": is_exclusive,
                   "cpu_speed": number(column(line, 14, "1"), 1) if self.rng.random() < 0.9 else 1.37}
        return told, (None if is_offline else live), figures

    def instance(self, line):
        disk = number(line[2], 1024)
        count = self.rng.choice([1, 1, 2, 3])
        sizes = [disk // count] * count if line[8] != "diskless" else []
        memory = number(line[1], 512)
        return {"name": line[0], "disk_usage": disk, "disk.sizes": sizes, "disk.spindles": [self.rng.choice([None, 1, 2]) for _ in sizes],
                "pnode": line[6], "snodes": [line[7]] if line[7] else [], "status": line[4], "tags": tags(column(line, 9, "")),
                "disk_template": line[8], "forthcoming": column(line, 12, "N") == "Y"}, {
                    "vcpus": number(line[3], 1), "auto_balance": line[5] == "Y", "spindle_use": number(column(line, 10, "1"), 1),
                    "maxmem": memory, "minmem": memory // 2, "memory": memory}

    def group(self, line):
        return {"name": line[0], "uuid": line[1], "alloc_policy": line[2], "ipolicy": self.policy, "tags": tags(line[3]), "extra": 1}

    def info(self):
        return {"name": "cluster", "master": self.master, "tags": [tag for [tag] in self.cluster.tags], "ipolicy": self.policy,
                "default_hypervisor": self.hypervisor, "enabled_disk_templates": TEMPLATES}


def rapi(rng, cluster):
    """The four files of a saved remote API."""
    told = Told(rng, cluster)
    nodes = []
    for line in cluster.nodes:
        node, live, figures = told.node(line)
        nodes.append({**node, **(live or {}), "ndparams": figures})
    instances = []
    for line in cluster.instances:
        instance, backend = told.instance(line)
        if rng.random() < 0.3:
            del instance["forthcoming"]
        seen = backend["memory"] if line[4] == "running" else rng.choice([None, "-"])
        if rng.random() < 0.3:
            del backend["memory"]
        instances.append({**instance, "oper_ram": seen, "beparams": backend})
    return {"groups.json": Document([told.group(line) for line in cluster.groups]), "nodes.json": Document(nodes),
            "instances.json": Document(instances), "info.json": Document(told.info())}


NODE_FIELDS = ["name", "mtotal", "mnode", "mfree", "dtotal", "dfree", "ctotal", "cnos", "offline", "drained", "vm_capable", "ndp/spindle_count",
               "group.uuid", "tags", "ndp/exclusive_storage", "sptotal", "spfree", "ndp/cpu_speed"]
INSTANCE_FIELDS = ["name", "disk_usage", "be/memory", "be/vcpus", "status", "pnode", "snodes", "tags", "be/auto_balance", "disk_template",
                   "be/spindle_use", "disk.sizes", "disk.spindles", "forthcoming"]
GROUP_FIELDS = ["uuid", "name", "alloc_policy", "ipolicy", "tags"]


def row(fields, values):
    """A live figure that is not there has status 4, one that is null status 2."""
    return [[4, None] if f not in values else [2, None] if values[f] is None else [0, values[f]] for f in fields]


def reply(result):
    return Document({"success": True, "result": result})


def luxi(rng, cluster):
    """The four answers of a master's socket."""
    told = Told(rng, cluster)
    nodes = []
    for line in cluster.nodes:
        node, live, figures = told.node(line)
        nodes.append(row(NODE_FIELDS, {**node, **(live or {}), **{f"ndp/{k}": v for k, v in figures.items()}}))
    instances = []
    for line in cluster.instances:
        instance, backend = told.instance(line)
        instances.append(row(INSTANCE_FIELDS, {**instance, **{f"be/{k}": v for k, v in backend.items()}}))
    groups = [row(GROUP_FIELDS, told.group(line)) for line in cluster.groups]
    return {"node.reply": reply({"fields": [], "data": nodes}), "instance.reply": reply({"fields": [], "data": instances}),
            "cluster.reply": reply(told.info()), "group.reply": reply({"fields": [], "data": groups})}


@contextlib.contextmanager
def luxi_server(work):
    """Answers LUXI queries out of the files of `work`, on its socket luxi.sock."""

    def answer(message):
        call = json.loads(message)
        name = call["args"][0] if call["method"] == "Query" else "cluster"
        return (work / f"{name}.reply").read_bytes() + servers.END

    with servers.luxi(work / "luxi.sock", answer):
        yield


def mond(rng, cluster):
    """A file of reports. Most are whole."""
    entries = []
    for line in cluster.nodes:
        reports = [report("other", rng, {"a": 1}), report("cpu-avg-load", rng, {"cpu_number": 4, "cpus": [0.5, 1, 0.25],
                                                                                "cpu_total": rng.choice([0, 0.3, 1.75, 12.5])})]
        loads = {i[0]: rng.choice([0, 0.1, 1.7]) for i in cluster.instances if i[6] == line[0] or rng.random() < 0.1}
        if rng.random() < 0.05 and loads:
            loads.popitem()
        reports.append(report("xen-cpu-avg-load", rng, loads))
        rng.shuffle(reports)
        if rng.random() < 0.02:
            reports = reports[:1]
        entries.append({"node": line[0], "reports": reports})
    rng.shuffle(entries)
    if rng.random() < 0.1:
        entries.append({"node": "nobody", "reports": []})
    return Document(entries)


def report(name, rng, data):
    made = {"name": name, "version": "B", "format_version": 1, "timestamp": 1379507272000000000, "category": rng.choice([None, "instance"]),
            "kind": rng.choice([0, 1]), "data": data}
    if rng.random() < 0.1:
        del made["category"]
    return made

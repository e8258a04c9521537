# SPDX-License-Identifier: BSD-2-Clause
"""Clusters with storage columns, which the reference ignores."""
import copy

NODE_DEFAULTS = [None] * 9 + ["1", "", "N", "0", "1", "1.0"]
INSTANCE_DEFAULTS = [None] * 10 + ["1", "-", "N"]
# With --ignore-storage the columns are not even read: anything may stand there.
NODE_COLUMNS = ["100,200,drbd8,vg", "100,200,drbd8,vg;5,5,file,/srv/a\\|b", "", "x", "9,1,lvm-vg,vg", ";;", "1,2,drbd8,a|surplus", "é"]
INSTANCE_COLUMNS = ["10240,drbd8,vg", "", "x,y", "1,drbd8,a;2,file,/b", "-1,drbd8,vg", "1,2|3"]


def padded(line, defaults):
    return line + defaults[len(line):]


def with_any_columns(rng, cluster):
    extended = copy.deepcopy(cluster)
    for line in extended.nodes:
        if rng.random() < 0.8:
            line[:] = padded(line, NODE_DEFAULTS) + [rng.choice(NODE_COLUMNS)]
    for line in extended.instances:
        if rng.random() < 0.8:
            line[:] = padded(line, INSTANCE_DEFAULTS) + [rng.choice(INSTANCE_COLUMNS)]
    return extended


def make_mirrorable(cluster):
    """Changes the cluster so that one unit per node can say the same as the node's disk figures: only disks in a volume group, figures
    that add up, and no exact fit (which the reference refuses and units allow)."""
    for line in cluster.instances:
        if line[8] not in ("drbd", "plain"):
            line[8], line[7] = "plain", ""
    for line in cluster.nodes:
        if len(line) > 11:
            line[11] = "N"
        for column, usual in ((1, "8192"), (4, "409600"), (6, "8")):
            if line[column] == "?":
                line[column] = usual
        for column in (2, 3, 5):
            if line[column] == "?":
                line[column] = "0"
        used = sum(int(i[2]) for i in cluster.instances if line[0] in (i[6], i[7]) and i[12:13] != ["Y"])
        free = max(1, int(line[4]) - used + 1)
        line[4], line[5] = str(free + used), str(free)
    return cluster


def mirrored(cluster):
    """The same cluster, with the nodes' disk figures told as storage units."""
    if isinstance(cluster, bytes):
        return cluster
    extended = copy.deepcopy(cluster)
    for line in extended.nodes:
        unit = f"{line[5]},{line[4]}"
        line[:] = padded(line, NODE_DEFAULTS) + [f"{unit},drbd8,vg;{unit},lvm-vg,vg"]
    return extended


# The same for allocator requests.
NODE_KEYS = [[{"sunit": ["lvm-vg", "vg"], "free": 100, "total": 200}], [], "x", [{"sunit": 3}], [{"free": -1}], None, 7]
DISK_KEYS = [["lvm-vg", "vg"], ["file", "/srv", ["a"]], "x", [], None]
METADATA_MIB = 128


def with_any_keys(rng, document):
    extended = copy.deepcopy(document)
    for node in extended.value["nodes"].values():
        if rng.random() < 0.8:
            node["storage"] = rng.choice(NODE_KEYS)
    for instance in descriptions(extended):
        for disk in instance["disks"]:
            if rng.random() < 0.5:
                disk["sunit"] = rng.choice(DISK_KEYS)
    return extended


def descriptions(document):
    """What describes an instance: those of the list, and new ones."""
    request = document.value["request"]
    new = [request] if request["type"] == "allocate" else request["instances"] if request["type"] == "multi-allocate" else []
    return [*document.value["instances"].values(), *new]


def make_mirrorable_request(document):
    """As make_mirrorable. Free space is odd and disks are even: nothing fits exactly."""
    used = dict.fromkeys(document.value["nodes"], 0)
    for instance in descriptions(document):
        if instance["disk_template"] not in ("drbd", "plain"):
            instance["disk_template"] = "plain"
        is_mirrored = instance["disk_template"] == "drbd"
        for disk in instance["disks"]:
            disk["size"] = max(2, disk["size"] // 2 * 2)
        instance["disk_space_total"] = sum(d["size"] + (METADATA_MIB if is_mirrored else 0) for d in instance["disks"])
        on_nodes = instance.get("nodes", [])[:2 if is_mirrored else 1]
        if "nodes" in instance:
            instance["nodes"] = on_nodes
        for name in on_nodes:
            used[name] += 0 if instance.get("forthcoming") is True else instance["disk_space_total"]
    for name, node in document.value["nodes"].items():
        node["ndparams"]["exclusive_storage"] = False
        node["ndparams"].setdefault("spindle_count", 1)
        if "free_disk" in node:
            node["free_disk"] = max(1, int(node["free_disk"]) // 2 * 2 + 1)
            node["total_disk"] = node["free_disk"] + used[name]
    return document


def mirrored_request(document):
    """The same request, with the nodes' disk figures told as storage units."""
    if isinstance(document, bytes):
        return document
    extended = copy.deepcopy(document)
    for node in extended.value["nodes"].values():
        free, total = node.get("free_disk", 0), node.get("total_disk", 0)
        node["storage"] = [{"sunit": [kind, "vg"], "free": free, "total": total} for kind in ("drbd8", "lvm-vg")]
    for instance in descriptions(extended):
        for disk in instance["disks"]:
            disk["vg"] = "vg"
    return extended

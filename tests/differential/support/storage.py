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

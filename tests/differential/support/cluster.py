# SPDX-License-Identifier: BSD-2-Clause
"""Small random clusters in the text format, as lists of columns that can be made smaller."""
import copy
import random

TEMPLATES = ["drbd"] * 8 + ["plain"] * 2 + ["ext", "rbd", "sharedfile", "gluster", "blockdev", "file", "diskless"]
STATES = ["running"] * 10 + ["ADMIN_down"] * 2 + ["ADMIN_offline", "ERROR_down", "ERROR_up", "ERROR_nodedown",
                                                  "ERROR_nodeoffline", "USER_down", "ERROR_wrongnode"]
INSTANCE_TAGS = ["svc:web", "svc:db", "db:a", "plain", "power:a", "power:b", "é:ü", "", "htools:iextags:svc"]
NODE_TAGS = ["power:a", "power:b", "rack:1", "rack:2", "hv:old", "hv:new", "other", "hv:", ""]
CLUSTER_TAGS = ["htools:iextags:svc", "htools:iextags:", "htools:iextags", "htools:nlocation:power", "htools:nlocation:rack",
                "htools:nlocation:", "htools:desiredlocation:power", "htools:migration:hv", "htools:migration:rack",
                "htools:allowmigration:hv:old::hv:new", "htools:allowmigration:hv:new::hv:old", "htools:allowmigration:x:::y",
                "unrelated", "ganeti:watcher:autorepair:migrate"]
SPEC = "128,1,1024,1,1,1"
RANGE = "128,1,1024,1,1,1;32768,8,1048576,16,8,12"


class Cluster:
    """Five sections; each line is a list of columns."""

    def __init__(self):
        self.groups, self.nodes, self.instances, self.tags, self.policies = [], [], [], [], []
        self.ends_with_policies = True

    SECTIONS = ("groups", "nodes", "instances", "tags", "policies")

    def render(self):
        blocks = ["".join("|".join(columns) + "\n" for columns in getattr(self, name)) for name in self.SECTIONS]
        return "\n".join(blocks if self.ends_with_policies else blocks[:4]).encode("utf-8", "surrogateescape")

    def smaller(self):
        """Copies with one thing less or one thing simpler."""
        for name in ("instances", "nodes", "tags", "policies", "groups"):
            section = getattr(self, name)
            for i in reversed(range(len(section))):
                cut = copy.deepcopy(self)
                del getattr(cut, name)[i]
                yield cut
        yield from self.simpler_columns()

    def simpler_columns(self):
        usual = {("nodes", 9): "1", ("nodes", 10): "", ("nodes", 11): "N", ("nodes", 12): "0", ("nodes", 13): "1",
                 ("nodes", 14): "1.0", ("instances", 4): "running", ("instances", 5): "Y", ("instances", 9): "",
                 ("instances", 10): "1", ("instances", 11): "-", ("instances", 12): "N"}
        for (name, column), value in usual.items():
            for i, line in enumerate(getattr(self, name)):
                if len(line) > column and line[column] != value:
                    simpler = copy.deepcopy(self)
                    getattr(simpler, name)[i][column] = value
                    yield simpler

    def node_names(self):
        return [n[0] for n in self.nodes]

    def instance_names(self):
        return [i[0] for i in self.instances]


class Builder:
    """Draws one cluster; every choice comes from the one random source."""

    def __init__(self, rng):
        self.rng = rng
        self.cluster = Cluster()
        self.suffix = rng.choice(["", "", ".example.com", ".lab"])
        self.is_exclusive = rng.random() < 0.1
        self.has_forthcoming = rng.random() < 0.25
        self.has_tags = rng.random() < 0.5
        self.odd = rng.random() < 0.2       # figures that do not add up
        self.used = {}

    def chance(self, probability):
        return self.rng.random() < probability

    def some(self, items, most):
        return [self.rng.choice(items) for _ in range(self.rng.randint(0, most))]

    def build(self):
        self.add_groups()
        self.add_nodes()
        self.add_instances()
        self.settle_figures()
        self.add_tags()
        self.add_policies()
        return self.cluster

    def add_groups(self):
        count = self.rng.choice([1, 1, 1, 1, 2, 3])
        for g in range(count):
            line = [f"group{g}", f"uuid-{g}", self.rng.choice(["preferred", "preferred", "last_resort", "unallocable"]), ""]
            if self.chance(0.7):
                line.append(self.rng.choice(["", "net-a", "net-a,net-b"]))
            self.cluster.groups.append(line)

    def add_nodes(self):
        alike = self.chance(0.5)
        memory, disk, cpus = self.size()
        for n in range(self.rng.randint(1, 8) if self.chance(0.1) else self.rng.randint(2, 8)):
            if not alike:
                memory, disk, cpus = self.size()
            group = self.rng.choice(self.cluster.groups)[1]
            role = self.rng.choice(["N"] * 8 + ["M", "Y"])
            own = self.rng.choice([0, 512, 1000])
            total = str(memory) + self.rng.choice(["", "", "", ".4", "e0"])
            line = [f"node{n}{self.suffix}", total, str(own), "", str(disk), "", str(cpus), role, group]
            self.cluster.nodes.append(line + self.more_node_columns())
            self.used[line[0]] = [memory - own, disk]

    def size(self):
        memory = self.rng.choice([4096, 8192, 16384, 32000])
        return memory, self.rng.choice([102400, 204800, 409600]), self.rng.choice([4, 8, 16])

    def more_node_columns(self):
        full = [self.rng.choice(["1", "4", "8"]), self.tag_list(NODE_TAGS, 3),
                "Y" if self.is_exclusive and self.chance(0.8) else "N", self.rng.choice(["0", "4", "8", "12"]),
                self.rng.choice(["1", "0", "2"]), self.rng.choice(["1.0", "1", "2", "0.5", "1.37"])]
        if self.is_exclusive:
            full[0] = "24"
        keep = self.rng.choice([1, 2, 3, 4, 5, 6, 6, 6])
        return full[:6 if self.is_exclusive else keep]

    def tag_list(self, tags, most):
        return ",".join(self.some(tags, most)) if self.has_tags else ""

    def add_instances(self):
        for i in range(self.rng.choice([0, 1, 2]) if self.chance(0.08) else self.rng.randint(3, 18)):
            self.cluster.instances.append(self.instance(i))

    def instance(self, index):
        template = self.rng.choice(TEMPLATES)
        primary = self.pick_node()
        secondary = ""
        if template == "drbd":
            secondary = self.pick_node(other_than=primary)
        elif self.chance(0.03):
            secondary = self.pick_node(other_than=primary)
        if template == "drbd" and (secondary == "" or self.chance(0.01)):
            template, secondary = "plain", ""
        memory = self.rng.choice([128, 512, 1024, 1024, 2048, 4096])
        disk = self.rng.choice([1024, 5120, 10240, 10240, 20480]) if template != "diskless" else 0
        cpus = self.rng.choice([1, 1, 1, 2, 4])
        status = self.rng.choice(STATES)
        line = [f"inst{index}{self.suffix}", str(memory), str(disk), str(cpus), status, "N" if self.chance(0.08) else "Y",
                primary, secondary, template, self.tag_list(INSTANCE_TAGS, 3)]
        is_planned = self.has_forthcoming and self.chance(0.3)
        more = [self.rng.choice(["1", "2", "0"]), self.rng.choice(["-", "1", "2"]), "Y" if is_planned else "N"]
        line += more[:3 if self.has_forthcoming else self.rng.choice([0, 1, 2, 3])]
        if not is_planned:
            self.take(primary, memory if status in ("running", "ERROR_up", "ERROR_nodedown", "ERROR_nodeoffline",
                                                    "ERROR_wrongnode") else 0, disk)
            if secondary:
                self.take(secondary, 0, disk)
        return line

    def pick_node(self, other_than=None):
        groups = {n[0]: n[8] for n in self.cluster.nodes}
        names = [n for n in groups if n != other_than]
        if other_than and not self.chance(0.03):
            names = [n for n in names if groups[n] == groups[other_than]]
        if not names:
            return ""
        crowded = names[: max(1, len(names) // 2)]
        return self.rng.choice(crowded if self.chance(0.5) else names)

    def take(self, node, memory, disk):
        self.used[node][0] -= memory
        self.used[node][1] -= disk

    def settle_figures(self):
        for node in self.cluster.nodes:
            memory, disk = self.used[node[0]]
            if self.odd and self.chance(0.3):
                memory -= self.rng.choice([100, 600, -300, 3000])
                disk -= self.rng.choice([500, 2000, -4000])
            node[3], node[5] = str(max(0, memory)), str(max(0, disk))
            if self.chance(0.02):
                node[self.rng.choice([1, 2, 3, 4, 5, 6])] = "?"

    def add_tags(self):
        if self.has_tags:
            self.cluster.tags = [[tag] for tag in self.some(CLUSTER_TAGS, 5)]

    def add_policies(self):
        self.cluster.ends_with_policies = self.chance(0.8)
        if not self.chance(0.3):
            return
        owners = [""] + [self.rng.choice(group[:2]) for group in self.cluster.groups]
        for owner in owners[: self.rng.randint(1, len(owners))]:
            templates = self.rng.choice(["drbd,plain", "drbd", "plain,ext,rbd", ""])
            self.cluster.policies.append([owner, SPEC, self.rng.choice([RANGE, RANGE, "", f"{RANGE};{RANGE}"]), templates,
                                          self.rng.choice(["4.0", "1", "0.5", "16", "-1", "1e8"]),
                                          self.rng.choice(["32.0", "1", "0.25", "0", "NaN"])])


def random_cluster(rng: random.Random) -> Cluster:
    return Builder(rng).build()

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Rules of administrators on a real Ganeti: a rules file and --repair, a drain that says what stays, hail with a pin. The commands that
are printed are executed, and the cluster must then be what was promised.

Usage: rules_live.py --bin DIR [--keep]      Exit status: 0 all well, 1 not, 77 Ganeti cannot be had here.
"""
import json
import sys

from ganeti_cluster import test_on_cluster
from sources_live import Live as Sources

INSTANCES = 5
RULES = """rules:
  - name: not on one node
    apart: [instance2, instance4]
"""


class Live(Sources):
    def add(self, number, *words):
        self.cluster.gnt("gnt-instance", "add", "-t", "sharedfile", "-s", "16M", "-B", "memory=64M,vcpus=1", "--no-install", "--no-start",
                         "--no-name-check", "--no-ip-check", "--no-nics", "-o", "noop+default", *words, f"instance{number}")

    def fill_with_rules(self):
        """A licence of node1 for instance1, and two that must not share a node but do."""
        self.cluster.gnt("gnt-cluster", "add-tags", "ballast:pin:lic")
        self.cluster.gnt("gnt-node", "add-tags", "node1", "lic:a")
        self.add(1, "--tags", "lic:a", "-n", "node1")
        for number, node in ((2, "node2"), (3, "node1"), (4, "node2")):
            self.add(number, "-n", node)
        (self.work / "rules.yaml").write_text(RULES)

    def execute(self, path):
        self.cluster.inside(["node1/cmd", "bash", "-e", str(path)], cwd=self.cluster.folder)

    def repair(self):
        commands = self.work / "repair.sh"
        source = [f"-L{self.socket}", "--rules", "rules.yaml"]
        done = self.ours("hbal", *source, "--repair", f"-C{commands}")
        self.check("instance2" in done.stdout and "not on one node" in done.stdout, "hbal --rules names the broken rule", done.stdout + done.stderr)
        before = self.places()
        self.execute(commands)
        after = self.places()
        moved = [name for name in after if after[name] != before[name]]
        self.check(len(moved) == 1 and after["instance2"] != after["instance4"], f"--repair moves one instance: {moved}", str(after))
        again = json.loads(self.ours("hbal", *source, "--repair", "--json").stdout)
        self.check(not again["steps"] and not again["blocked"], "and nothing is left to mend", json.dumps(again["blocked"]))

    def drain(self):
        commands = self.work / "drain.sh"
        source = [f"-L{self.socket}", "--rules", "rules.yaml", "-O", "node1", "-E"]
        plan = json.loads(self.ours("hbal", *source, "--json").stdout)
        stays = [blocked.get("subject", {}).get("name") for blocked in plan["blocked"]]
        self.check(stays == ["instance1"], f"the drain says what stays: {stays}", json.dumps(plan["blocked"]))
        done = self.ours("hbal", *source, f"-C{commands}")
        self.check(done.returncode == 0, "hbal -O node1 -E", done.stdout + done.stderr)
        self.execute(commands)
        left = sorted(name for name, node in self.places().items() if node == "node1")
        self.check(left == ["instance1"], f"and only that is left on node1: {left}")

    def allocate_with_pin(self):
        self.cluster.use_plugin(self.folder / "hail")
        self.add(5, "--tags", "lic:a", "-I", "hail")
        self.check(self.places()["instance5"] == "node1", "hail puts a pinned instance on the node with its tag", str(self.places()))

    def run(self):
        self.fill_with_rules()
        self.repair()
        self.drain()
        self.allocate_with_pin()


if __name__ == "__main__":
    sys.exit(test_on_cluster(INSTANCES, Live))

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""hail as the plugin of a real Ganeti: gnt- commands place, move and evacuate instances; each request that Ganeti makes is kept, answered
again outside of Ganeti, and held against where the instances really are.

Usage: hail_live.py --bin DIR [--keep]       Exit status: 0 all well, 1 not, 77 Ganeti cannot be had here.
"""
import json
import sys

from ganeti_cluster import call, test_on_cluster

RECORDER = """#!/bin/sh
# keeps the request and the answer, then answers
n=$(ls {folder}/calls | wc -l)
cp "$1" {folder}/calls/$n.request
{program} "$@" > {folder}/calls/$n.answer 2> {folder}/calls/$n.errors
status=$?
cat {folder}/calls/$n.answer
exit $status
"""


class Live:
    def __init__(self, cluster, program):
        self.cluster, self.program, self.problems = cluster, program, []
        self.calls = cluster.folder / "calls"

    def prepare(self):
        self.calls.mkdir()
        self.calls.chmod(0o777)
        recorder = self.cluster.folder / "hail"
        recorder.write_text(RECORDER.format(folder=self.cluster.folder, program=self.program))
        recorder.chmod(0o755)
        self.cluster.use_plugin(recorder)

    def check(self, holds, text):
        print(("ok      " if holds else "FAILED  ") + text, flush=True)
        if not holds:
            self.problems.append(text)

    def where(self, instance):
        return self.cluster.gnt("gnt-instance", "list", "--no-headers", "-o", "pnode", instance).strip()

    def last_call(self, kind):
        """The newest request; asked again outside of Ganeti, it must give the same answer."""
        newest = max(self.calls.glob("*.request"), key=lambda p: int(p.stem))
        request = json.loads(newest.read_text())
        self.check(request["request"]["type"] == kind, f"Ganeti asked for {kind}")
        recorded = newest.with_suffix(".answer").read_text()
        dry = call([self.program, newest]).stdout
        self.check(dry == recorded, f"a dry call gives the same answer: {recorded.strip()[:100]}")
        reference = call(["/usr/lib/ganeti/3.0/usr/bin/htools", newest], env={"HTOOLS": "hail", "LC_ALL": "C.UTF-8"}).stdout
        self.check(reference == recorded, "and so does the packaged hail")
        return json.loads(recorded)

    def add(self, number):
        name = f"instance{number}"
        self.cluster.gnt("gnt-instance", "add", "-t", "sharedfile", "-s", f"{16 * number}M", "-B", f"memory={64 * number}M,vcpus=1",
                         "--no-install", "--no-start", "--no-name-check", "--no-ip-check", "--no-nics", "-o", "noop+default", name)
        answer = self.last_call("allocate")
        self.check([self.where(name)] == answer["result"], f"{name} is on {answer['result']}")
        return name

    def evacuate(self, node):
        self.cluster.gnt("gnt-node", "evacuate", "-f", "--primary-only", node)
        answer = self.last_call("node-evacuate")
        for name, _, nodes in answer["result"][0]:
            self.check(self.where(name) == nodes[0], f"{name} went to {nodes[0]}")
        left = self.cluster.gnt("gnt-node", "list", "--no-headers", "-o", "pinst_cnt", node).strip()
        self.check(left == "0", f"{node} is empty")

    def relocate(self, name):
        self.cluster.gnt("gnt-instance", "failover", "-f", "-I", "hail", name)
        answer = self.last_call("relocate")
        self.check([self.where(name)] == answer["result"], f"{name} went to {answer['result']}")

    def run(self):
        self.prepare()
        names = [self.add(number) for number in range(1, 5)]
        self.evacuate(self.where(names[0]))
        self.relocate(names[1])


if __name__ == "__main__":
    sys.exit(test_on_cluster(4, lambda cluster, tools: Live(cluster, tools / "hail")))

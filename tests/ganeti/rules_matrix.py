#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Rules of administrators x tools x forms: each rule, said in each way (file, options, tags; hard and at a price), is kept by each tool in
each of its modes and forms, with and without storage units. Plans are replayed by the independent models of tests/model; text, JSON and
page must tell the same steps; what a rule forbids is refused by its name, with figures. A rule that no plan without it would break proves
nothing, so that is looked at, too. NO_SENSE lists the cells that are left out, and why.

Every cell with BALLAST_LONG or --stride 1, else some of them. Exit status 1 where a cell is wrong. --only WORDS runs the cells whose name has all these words.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "model"))
from admin_rules import World, first_fault  # noqa: E402
from ganeti_rules import replay  # noqa: E402
from rules_cluster import DISK, LOAD, NODES, OWN, MEMORY, PRICED, RULES, cluster, request, wanted  # noqa: E402

NO_SENSE = {
    ("hspace", "pin"): "what it counts has neither names nor tags: only rules of nodes, units and memory concern it",
    ("hspace", "apart"): "as pin", ("hspace", "together"): "as pin", ("hspace", "kept"): "as pin",
    ("hail", "reserve"): "one instance of 4 GiB breaks no reserve of a cluster that is nearly empty: asked with a large one",
    ("hcheck", "kept"): "nothing moves in --what-if: who is without a node starts elsewhere",
}
HBAL = {
    "plain": [], "search": ["--search", "--search-steps=200"], "evacuation": ["-O", "n1", "-E"], "repair": ["-O", "n1", "--repair"],
    "only above": ["--only-above", "memory=50%"], "most steps": ["--search-steps=200", "--max-steps=2"],
    "most data": ["--search-steps=200", "--max-data=50g"], "most per node": ["--search-steps=200", "--max-per-node=25g"],
    "most time": ["--search-steps=200", "--max-time=10m", "--rate=100", "--parallel=2"], "stop at": ["--stop-at=60"],
    "prices of moves": ["--search-steps=200", "--move-price=0.05", "--data-price=0.001"], "added": ["--add-node=default,2,400000,65536,16"],
    "soft errors": ["--ignore-soft-errors"], "no disk moves": ["--no-disk-moves"], "one unit": ["--only-storage", "drbd8/ssd"],
    "make room": ["--make-room", "memory=31g,disk=30g"],
}
STEP = re.compile(r"^ +(\d+)\. (\S+) +(\S+) +=> (\S+)", re.MULTILINE)
ON_PAGE = re.compile(r"<title>step (\d+): ([^<]*)<")


class Matrix:
    def __init__(self, binaries, folder, only, stride):
        self.binaries, self.folder, self.only, self.stride, self.seen = binaries, folder, only, stride, 0
        self.faults, self.cells, self.bites, self.asked = [], 0, {}, 0

    def run(self, tool, *words):
        self.asked += 1
        return subprocess.run([str(self.binaries / tool), *map(str, words)], capture_output=True, text=True, timeout=120, cwd=self.folder)

    def wants(self, *name):
        if not all(word in " ".join(name).split() for word in self.only):
            return False
        self.seen += 1
        return self.seen % self.stride == 0

    def fault(self, cell, why, run=None):
        self.faults.append(f"{' / '.join(cell)}: {why}" + (f"\n{' '.join(run.args)}\n{run.stdout[-1500:]}{run.stderr[-800:]}" if run else ""))

    def write(self, name, text):
        (self.folder / name).write_text(text if isinstance(text, str) else json.dumps(text))
        return name

    def document(self, cell, run):
        if "internal error" in run.stdout + run.stderr or run.returncode < 0:
            return self.fault(cell, "broke down", run)
        try:
            return json.loads(run.stdout)
        except ValueError:
            return self.fault(cell, "no JSON", run)

    def judge(self, cell, text, rule, plan, run):
        """By the models; `rule` None: without it."""
        if (why := replay(text, plan)) is not None:
            self.fault(cell, why, run)
        if rule is None:
            return
        if rule not in PRICED:
            if (why := first_fault(text, rule.model, plan, 7)) is not None:
                self.fault(cell, why, run)
        elif (harm := self.harm_of(text, rule, plan["steps"])) > (before := self.harm_of(text, rule, [])):
            self.fault(cell, f"breaks a rule with a high price: {before} to {harm}", run)

    @staticmethod
    def harm_of(text, rule, steps):
        world = World(text, rule.model)
        for step in steps:
            world.make(step)
        return sum(max(0, part) if "pin" in one else part for one in rule.model for part in world.harm(one))

    def same_in_all_forms(self, cell, tool, words, plan):
        """Text and page tell the steps of the document."""
        told = [(step["n"], step["subject"]["name"]) for step in plan["steps"]]
        run = self.run(tool, *words, "--report", "page.html")
        page = (self.folder / "page.html").read_text()
        shown = {int(n): re.split(r"[ :]", words) for n, words in ON_PAGE.findall(page)}
        if [n for n, _ in told] != sorted(shown) or any(name not in shown[n] for n, name in told):
            self.fault(cell, f"the page shows {shown}, the document {told}", run)
        if tool == "hbal" and [(int(n), name) for n, name, *_ in STEP.findall(run.stdout)] != told:
            self.fault(cell, f"the text does not tell the steps {told}", run)
        for blocked in plan.get("blocked", []):
            if blocked.get("subject", {}).get("name", "") not in page:
                self.fault(cell, f"the page is silent on {blocked['subject']['name']}, which is blocked")

    def breaks_without(self, name, text, rule, plan):
        if rule.model and first_fault(text, rule.model, plan, 7) is not None:
            self.bites[rule.name] = self.bites.get(rule.name, set()) | {name}

    # hbal

    def hbal(self, cell, text, rule, source):
        for mode, options in HBAL.items():
            if mode == "one unit" and "units" not in cell:
                continue  # there is none
            name = (*cell, "hbal", mode)
            if not self.wants(*name):
                continue
            self.cells += 1
            words = [*source, *options]
            run = self.run("hbal", *words, "--json")
            if (plan := self.document(name, run)) is None:
                continue
            if plan["kind"] != "plan":
                if mode != "make room":  # there may be no room under the rule
                    self.fault(name, "no plan", run)
                continue
            judged = self.with_new_nodes(text) if mode == "added" else text
            # What has to leave an offline node goes, at any price.
            self.judge(name, judged, None if rule in PRICED and "n1" in options else rule, plan, run)
            self.keeps_its_promise(name, mode, judged, plan, run)
            self.same_in_all_forms(name, "hbal", words, plan)
            bare = self.run("hbal", "-t", "bare.data", *options, "--json")
            if bare.stdout.startswith("{") and "steps" in (without := json.loads(bare.stdout)):
                self.breaks_without("hbal", judged, rule, without)

    @staticmethod
    def with_new_nodes(text):
        lines = [f"new-{k}|{MEMORY}|{OWN}|{MEMORY - OWN}|{DISK}|{DISK}|16|N|u|64||N|0|1|1.0" for k in (1, 2)]
        return text.replace("\n\na1|", "\n" + "\n".join(lines) + "\n\na1|", 1)

    def keeps_its_promise(self, cell, mode, text, plan, run):
        copied, into, out = 0, {}, {}
        for step in plan["steps"]:
            name, before, after = step["subject"]["name"], step["from"], step["to"]
            for node in set(after.values()) - set(before.values()):
                if LOAD[name][2] == "drbd":
                    copied += LOAD[name][1]
                    into[node] = into.get(node, 0) + LOAD[name][1]
        out["most steps"] = len(plan["steps"]) <= 2
        out["most data"] = copied <= 50 * 1024
        out["most per node"] = max(into.values(), default=0) <= 25 * 1024
        out["most time"] = plan["totals"].get("seconds_at_least", 0) <= 600
        out["no disk moves"] = copied == 0
        if plan["totals"]["bytes"] != copied * 1024 * 1024:
            self.fault(cell, f"says {plan['totals']['bytes']} bytes, {copied} MiB are copied", run)
        world = World(text, [])
        for step in plan["steps"]:
            world.make(step)
        left = [name for name, place in world.place.items() if "n1" in place]
        blocked = {entry.get("subject", {}).get("name") for entry in plan["blocked"]}
        out["evacuation"] = set(left) <= blocked
        out["repair"] = set(left) <= blocked
        above = [node for node in NODES if MEMORY - world.unallocated(node) > MEMORY * 0.5]
        out["only above"] = not above or bool(blocked)
        if not out.get(mode, True):
            self.fault(cell, f"breaks its promise: {left} left on n1, {blocked} blocked, above: {above}, {copied} MiB", run)

    def since(self, cell, rule, source):
        name = (*cell, "hbal", "since")
        if not self.wants(*name):
            return
        self.cells += 1
        first = self.document(name, self.run("hbal", *source, "--json"))
        if first is None or not first["steps"]:
            return
        broken = {one for group in rule.model for one in group.get("apart", ())}  # those may move again
        moved = {step["subject"]["name"] for step in first["steps"]} - broken
        self.write("earlier.json", first)
        for options in ([], ["--search-steps=200"], ["--keep=7d"], ["--only-above", "memory=50%"]):
            run = self.run("hbal", *source, "--since", "earlier.json", *options, "--json")
            plan = self.document(name, run)
            if plan and (again := moved & {step["subject"]["name"] for step in plan["steps"]}):
                self.fault(name, f"moves {again} again", run)

    # The others

    def maintenance(self, cell, text, rule, source):
        for tool, options in (("hroller", ["--full-evacuation", "--force"]), ("hroller", ["--offline-maintenance", "--force"]),
                              ("hroller", ["--full-evacuation", "--node-tags=rack:r1", "--force"]),
                              ("hsqueeze", ["--minimal-resources=0.1", "--target-resources=0.1"])):
            name = (*cell, tool, *options[:2])
            if not self.wants(*name):
                continue
            self.cells += 1
            run = self.run(tool, *source, *options, "--json")
            if (plan := self.document(name, run)) is None:
                continue
            if plan["kind"] != "plan":  # nobody takes what has to leave: the rule, with figures
                if not re.search(f"({rule.told}).*\\d", plan.get("message", "")):
                    self.fault(name, "no plan, and no rule is named", run)
                continue
            # What has to leave goes, at any price.
            self.judge(name, text, None if rule in PRICED else rule, plan, run)
            self.same_in_all_forms(name, tool, [*source, *options], plan)
            bare = json.loads(self.run(tool, "-t", "bare.data", *options, "--json").stdout)
            self.breaks_without(tool, text, rule, bare)

    def hail(self, cell, text, rule, source):
        for evacuated in ("primary-only", "secondary-only", "all"):
            name = (*cell, "hail", evacuated)
            if not self.wants(*name):
                continue
            self.cells += 1
            own = [one for one, row in LOAD.items() if "n1" in row[3:4] or evacuated == "secondary-only" and row[4]]
            self.write("request.json", request("node-evacuate", instances=own, evac_mode=evacuated))
            (self.folder / "plan.json").unlink(missing_ok=True)
            run = self.run("hail", "request.json", *source, "--plan", "plan.json", "--explain")
            if not (self.folder / "plan.json").exists():
                if "success\":false" not in run.stdout:
                    self.fault(name, "no plan", run)
                continue
            plan = json.loads((self.folder / "plan.json").read_text())
            self.judge(name, text, None if rule in PRICED else rule, plan, run)
            for blocked in plan["blocked"]:
                if not re.search(r"\d|" + rule.told, json.dumps(blocked)):
                    self.fault(name, f"blocked without a reason: {blocked}", run)
            self.run("hail", "request.json", "-t", "bare.data", "--plan", "bare.json")
            if (self.folder / "bare.json").exists():
                self.breaks_without("hail", text, rule, json.loads((self.folder / "bare.json").read_text()))
                (self.folder / "bare.json").unlink()

    def allocate(self, cell, rule, source):
        """Where new instances of the rule's kind may go, each with what the answer must be."""
        kind = rule.name.replace("priced ", "")
        new = {"pin": (["lic:a", "ballast:pin:lic:a"], {"n1", "n2"}), "apart": (["svc:web", "ballast:apart:web"], {"n2", "n3", "n4"}),
               "together": (["pair:1", "ballast:together:1"], {"n1"}), "excluded": ([], {"n1", "n2", "n4"}),
               "forbidden": ([], {"n1", "n2", "n4"}), "reserve": ([], {"n1", "n2", "n4"})}
        if kind not in new:
            return
        tags, allowed = new[kind]
        for template in ("drbd", "sharedfile"):
            if kind == "forbidden" and template == "sharedfile":
                continue  # its unit is another one
            for what in ("allocate", "multi-allocate"):
                name = (*cell, "hail", what, template)
                if not self.wants(*name):
                    continue
                self.cells += 1
                wish = wanted("new", template, tags, 8192)
                self.write("request.json", request("allocate", **wish) if what == "allocate" else request(what, instances=[wish]))
                run = self.run("hail", "request.json", *source, "--explain")
                if (answer := self.document(name, run)) is None:
                    continue
                nodes = answer["result"] if what == "allocate" else [place[1] for place in answer["result"][0]][0] if answer["result"] else []
                nodes = nodes if isinstance(nodes, list) else [nodes]
                bound = set(nodes) if kind in ("pin", "excluded", "forbidden") else set(nodes[:1])
                if not nodes or not bound <= allowed:
                    self.fault(name, f"on {nodes}, where {sorted(allowed)} are allowed", run)
                if "priced" not in rule.name and not re.search(rule.told, run.stderr):
                    self.fault(name, f"--explain does not name the rule ({rule.told})", run)

    def hspace(self, cell, rule, source):
        name = (*cell, "hspace")
        if not self.wants(*name):
            return
        self.cells += 1
        options = ["--disk-template=drbd", "--standard-alloc=10g,2g,1", "-v", "-v"]
        run, bare = (self.run("hspace", *where, *options) for where in (source, ["-t", "bare.data"]))
        document = self.document(name, self.run("hspace", *source, *options[:2], "--json"))
        placed = {node: sum(f" {node} " in line for line in run.stderr.splitlines() if line.startswith(" new-")) for node in NODES}
        if not document or not any(placed.values()):
            return self.fault(name, f"places nothing: {placed}", run)
        if ("hspace", rule.name.replace("priced ", "")) in NO_SENSE:
            if run.stdout != bare.stdout:
                self.fault(name, "differs, though the rule does not concern it", run)
        elif rule.name in ("excluded", "forbidden") and placed["n3"] or rule.name == "reserve" and len(
                re.findall(r" new-\d+ +n3 ", run.stderr)) > 1:  # 3 GiB more than the reserve
            self.fault(name, f"places on n3: {placed}", run)
        elif run.stdout == bare.stdout:
            self.fault(name, "the rule changes nothing", run)

    def hcheck(self, cell, rule, source):
        name = (*cell, "hcheck", "what-if")
        if not self.wants(*name):
            return
        self.cells += 1
        lost = ["--what-if", "node=n1", "--what-if", "node=n2"]
        run = self.run("hcheck", *source, *lost)
        document = self.document(name, self.run("hcheck", *source, *lost, "--json"))
        if document is None:
            return
        if rule.name == "pin" and not (re.search(rule.told, run.stdout) and re.search(rule.told, json.dumps(document))):
            self.fault(name, "does not say that a pin keeps them from starting", run)
        # A rule that is broken at the start is an error of the doctor, with figures.
        doctor = self.run("hcheck", *source, "--doctor", "-q")
        broken = [one for one in rule.model if {"apart"} & set(one)]
        if broken and not re.search(f"({rule.told}).*n1", doctor.stdout):
            self.fault((*cell, "hcheck", "doctor"), "does not name the broken rule", doctor)

    def explain(self, cell, rule, source):
        """The instance that each rule is about, and the rule's name beside figures or names."""
        subject = {"pin": "s1", "apart": "a4", "together": "s1", "excluded": "s3", "kept": "a6", "reserve": "s3", "forbidden": "a2"}.get(rule.name)
        name = (*cell, "hbal", "explain")
        if subject is None or not self.wants(*name):
            return
        self.cells += 1
        run = self.run("hbal", *source, "--explain", subject)
        documents = self.run("hbal", *source, "--explain", subject, "--json")
        page = self.run("hbal", *source, "--explain", subject, "--format=html")
        for form in (run, documents, page):
            if rule.name != "apart" and not re.search(rule.told, form.stdout):
                self.fault(name, f"does not name the rule ({rule.told})", form)

    def row(self, rule, with_units, form):
        said, cluster_tags, instance_tags, written, options = form
        cell = (rule.name, said, "units" if with_units else "one-disk")
        text = cluster(with_units, cluster_tags, instance_tags)
        self.write("ruled.data", text)
        self.write("bare.data", cluster(with_units))
        self.write("rules.yaml", {"rules": written})
        source = ["-t", "ruled.data", *(["--rules", "rules.yaml"] if written else []), *options]
        self.hbal(cell, text, rule, source)
        self.since(cell, rule, source)
        self.maintenance(cell, text, rule, source)
        self.hail(cell, text, rule, source)
        self.allocate(cell, rule, source)
        self.hspace(cell, rule, source)
        self.hcheck(cell, rule, source)
        self.explain(cell, rule, source)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--stride", type=int, default=1 if os.environ.get("BALLAST_LONG") else 11, help="run every STRIDE-th cell")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        matrix = Matrix(options.bin.absolute(), pathlib.Path(name), options.only, options.stride)
        for rule in RULES + PRICED:
            for with_units in (False, True):
                if with_units or not rule.needs_units:
                    for form in rule.forms():
                        matrix.row(rule, with_units, form)
    for fault in matrix.faults[:5]:
        print(fault, file=sys.stderr)
    print("\n".join(fault.split("\n")[0] for fault in matrix.faults[5:60]), file=sys.stderr)
    idle = [rule.name for rule in RULES if not matrix.bites.get(rule.name)]
    print("\n".join(f"{name}: broken without the rule by {', '.join(sorted(tools))}" for name, tools in matrix.bites.items()))
    print(f"{matrix.cells} cells, {matrix.asked} runs, {len(matrix.faults)} faults; rules that nothing would break: {idle}")
    return 1 if matrix.faults or matrix.cells == 0 or idle and options.stride == 1 and not options.only else 0


if __name__ == "__main__":
    sys.exit(main())

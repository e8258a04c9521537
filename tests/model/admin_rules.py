# SPDX-License-Identifier: BSD-2-Clause
"""An independent model of rules of administrators (ballast-rules(5)), and a check that the steps of a plan make none of them worse: in
the plan's order, and in any other order that what the steps wait for allows. It shares no code with the planners: names, places and
memory alone count.
"""
import random

from ganeti_rules import USES_MEMORY, sections


def random_rules(rng, nodes, instances):
    """One to four rules as a rules file has them. Names are whole names."""
    def some(names, share):
        return [name for name in names if rng.random() < share] or [rng.choice(names)]

    def one():
        kind = rng.choice(["pin", "apart", "together", "together", "exclude-nodes", "keep-instances", "reserve-memory"])
        if kind == "pin":
            return {"pin": some(instances, 0.3), "to": some(nodes, 0.6)}
        if kind == "apart":
            return {"apart": some(instances, 0.3)}
        if kind == "together":
            return {"together": rng.sample(instances, min(len(instances), rng.choice([2, 2, 3])))}
        if kind == "exclude-nodes":
            return {"exclude-nodes": [rng.choice(nodes)]}
        if kind == "keep-instances":
            return {"keep-instances": some(instances, 0.1)}
        return {"reserve-memory": rng.choice([512, 2048, 8192]), "on": some(nodes, 0.5)}
    return [one() for _ in range(rng.randint(1, 4))]


class World:
    """Where instances are, and what each rule has to say against it."""

    def __init__(self, text, rules):
        blocks = sections(text)
        self.rules = rules
        self.total = {}
        for line in blocks[1]:
            columns = line.split("|")
            if "?" not in columns[1:7]:
                self.total[columns[0]] = float(columns[1]) - float(columns[2])
        rows = [line.split("|") for line in blocks[2]]
        self.place = {row[0]: (row[6], row[7] or None) for row in rows}
        self.units = {row[0]: {disk.split(",", 1)[1].replace(",", "/", 1) for disk in row[13].split(";") if "," in disk}
                      for row in rows if len(row) > 13}
        self.needs = {row[0]: int(row[1]) if row[4] in USES_MEMORY and not (len(row) > 12 and row[12] == "Y") else 0 for row in rows}

    def harm(self, rule):
        """Numbers of which none may grow."""
        if "pin" in rule:
            return [sum(node is not None and node not in rule["to"] for node in self.place[name]) and
                    1 + (self.place[name][0] not in rule["to"]) for name in rule["pin"]]
        if "apart" in rule:
            return [self.pairs(rule["apart"])]
        if "together" in rule:
            return [-self.pairs(rule["together"])]
        if "reserve-memory" in rule:
            return [max(0, rule["reserve-memory"] - self.unallocated(node)) for node in rule["on"] if node in self.total]
        return []

    def pairs(self, names):
        on = {}
        for name in names:
            on[self.place[name][0]] = on.get(self.place[name][0], 0) + 1
        return sum(count * (count - 1) // 2 for count in on.values())

    def unallocated(self, node):
        return self.total[node] - sum(self.needs[name] for name, (primary, _) in self.place.items() if primary == node)

    def make(self, step):
        """Moves, and tells what the step must not do whatever else is true."""
        name = step["subject"]["name"]
        if step["subject"]["kind"] != "instance" or "to" not in step:
            return None
        before = self.place[name]
        after = (step["to"]["primary"], step["to"].get("secondary"))
        self.place[name] = after
        for rule in self.rules:
            if name in rule.get("keep-instances", ()):
                return f"moves {name}, which is kept where it is"
            for node in after:
                if node in rule.get("exclude-nodes", ()) and node not in before:
                    return f"moves {name} to {node}, which takes nothing"
                if node in rule.get("on", ()) and node not in before and self.units.get(name, set()) & set(rule.get("forbid-units", ())):
                    return f"moves {name} to {node}, where its unit is forbidden"
        return None


def sets_of(steps):
    """The number of the last step of the set that each step belongs to; its own where it belongs to none."""
    last, known = {}, None
    for step in reversed(steps):
        joined = step.get("ganeti", {}).get("joined", 0)
        known = step["n"] if joined <= 1 else known
        last[step["n"]] = known
    return last


def order_by_waits(rng, steps):
    """A random order in which every step comes after all that it waits for."""
    waits = {step["n"]: {wait["step"] for wait in step.get("waits_for", []) if "step" in wait} for step in steps}
    by_number = {step["n"]: step for step in steps}
    order, done = [], set()
    while len(order) < len(steps):
        ready = [n for n in by_number if n not in done and waits[n] <= done]
        n = rng.choice(ready)
        done.add(n)
        order.append(by_number[n])
    return order


def made_worse(text, rules, steps, whole_plan=None):
    """None, or the first step after which a rule is broken worse than before."""
    world = World(text, rules)
    last = sets_of(whole_plan or steps)
    counts = {}
    for n in last.values():
        counts[n] = counts.get(n, 0) + 1
    left = dict(counts)
    before = [world.harm(rule) for rule in rules]
    for step in steps:
        if (fault := world.make(step)) is not None:
            return f"step {step['n']} {fault}"
        left[last[step["n"]]] -= 1
        half_done = {s["subject"]["name"] for s in steps if 0 < left[last[s["n"]]] < counts[last[s["n"]]]}
        for k, rule in enumerate(rules):
            if half_done & set(rule.get("together", ())):
                continue  # parted only until the last of the set is made
            now = world.harm(rule)
            if any(new > old for new, old in zip(now, before[k])):
                return f"step {step['n']} makes {rule} worse: {before[k]} to {now}"
            before[k] = now
    return None


def first_fault(text, rules, plan, seed):
    """Of the plan's order, and of a few others that its waits allow."""
    steps = plan["steps"]
    if (fault := made_worse(text, rules, steps)) is not None:
        return fault
    rng = random.Random(seed)
    for _ in range(3):
        order = order_by_waits(rng, steps)
        if (fault := made_worse(text, rules, order, steps)) is not None:
            return f"in the order {[step['n'] for step in order]}: {fault}"
    return None

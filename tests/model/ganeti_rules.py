# SPDX-License-Identifier: BSD-2-Clause
"""An independent model of what the steps of a Ganeti plan do, from the documentation (ballast-text(5), ballast-plan(5)) alone: it shares
no code and no arithmetic with the planners. It knows the hard rules only: what a step needs so that nothing is lost and nothing that
runs stops unasked. Soft rules (policies, N+1, tags) are the planners' own.
"""
MIRRORED = {"drbd"}
SHARED = {"sharedfile", "rbd", "ext", "gluster", "blockdev"}
LOCAL = {"drbd", "plain"}  # what a node's free disk counts
RUNS = {"running", "ERROR_up"}
USES_MEMORY = {"running", "ERROR_up", "ERROR_nodedown", "ERROR_nodeoffline", "ERROR_wrongnode"}
MOVES = {"migrate", "failover", "move", "replace_primary", "replace_secondary", "replace_and_migrate", "replace_and_failover",
         "migrate_and_replace", "failover_and_replace"}


class Broken(Exception):
    """The step that breaks a rule, and which."""


class Node:
    def __init__(self, columns):
        self.name = columns[0]
        self.is_off = columns[7] == "Y" or "?" in columns[1:7]
        self.is_master = columns[7] == "M"
        if self.is_off and "?" in columns[1:7]:
            self.total = self.own = self.free_memory = self.free_disk = 0
            return
        self.total, self.own = int(float(columns[1])), int(columns[2])
        self.free_memory, self.free_disk = int(columns[3]), int(columns[5])


class Instance:
    def __init__(self, columns):
        self.name, self.memory, self.disk = columns[0], int(columns[1]), int(columns[2])
        self.status, self.primary, self.secondary, self.template = columns[4], columns[6], columns[7] or None, columns[8]
        self.is_forthcoming = len(columns) > 12 and columns[12] == "Y"
        self.runs = self.status in RUNS and not self.is_forthcoming
        self.needs = self.memory if self.status in USES_MEMORY and not self.is_forthcoming else 0


def sections(text):
    blocks = [[]]
    for line in text.split("\n"):
        if line == "" and len(blocks) < 5:
            blocks.append([])
        elif line != "":
            blocks[-1].append(line)
    return blocks


class Model:
    """`memory` and `disk` are what each node has free; moves take and give back."""

    def __init__(self, text):
        blocks = sections(text)
        self.nodes = {node.name: node for node in (Node(line.split("|")) for line in blocks[1])}
        self.instances = {one.name: one for one in (Instance(line.split("|")) for line in blocks[2])}
        has_units = any(len(line.split("|")) > 15 for line in blocks[1])
        self.counts_disk = not has_units
        self.memory = {}
        for node in self.nodes.values():
            used = sum(one.needs for one in self.instances.values() if one.primary == node.name)
            # More said to be free than what the records leave is not there.
            self.memory[node.name] = min(node.free_memory, node.total - node.own - used)
        self.disk = {node.name: node.free_disk for node in self.nodes.values()}
        self.stopped = set()
        self.rebooting = {}  # phase -> nodes

    def place(self, one):
        return {"primary": one.primary, **({"secondary": one.secondary} if one.secondary else {})}

    def apply(self, step):
        kind, name, action = step["subject"]["kind"], step["subject"]["name"], step["action"]
        if kind == "node":
            if name not in self.nodes:
                raise Broken(f"no node {name}")
            return getattr(self, action)(self.nodes[name], step)
        if kind != "instance" or name not in self.instances:
            raise Broken(f"no {kind} {name}")
        one = self.instances[name]
        if action == "stop":
            self.stopped.add(name)
        elif action == "start":
            if self.nodes[one.primary].is_off:
                raise Broken(f"{name} starts on {one.primary}, which is off")
            self.stopped.discard(name)
        elif action.removeprefix("undo_") in MOVES:
            self.move(one, step)
        else:
            raise Broken(f"{action} is no step")

    def held_by(self, node):
        return [one for one in self.instances.values() if node.name in (one.primary, one.secondary)]

    def power_off(self, node, step):
        if node.is_off or node.is_master or self.held_by(node):
            raise Broken(f"{node.name} cannot be switched off: off {node.is_off}, master {node.is_master}, "
                         f"holds {[one.name for one in self.held_by(node)]}")
        node.is_off = True

    def power_on(self, node, step):
        if not node.is_off:
            raise Broken(f"{node.name} is on")
        node.is_off = False

    def reboot(self, node, step):
        if node.is_off:
            raise Broken(f"{node.name} is off")
        for one in self.held_by(node):
            if one.primary == node.name and one.runs and one.name not in self.stopped:
                raise Broken(f"{one.name} runs on {node.name}, which reboots")
            other = one.secondary if one.primary == node.name else one.primary
            if one.template in MIRRORED and not one.is_forthcoming and other in self.rebooting.get(step["phase"], ()):
                raise Broken(f"both nodes of {one.name} reboot together")
        self.rebooting.setdefault(step["phase"], set()).add(node.name)

    def move(self, one, step):
        before, after = step["from"], step["to"]
        if before != self.place(one):
            raise Broken(f"{one.name} is at {self.place(one)}, not at {before}")
        if before == after or ("secondary" in before) != ("secondary" in after):
            raise Broken(f"{one.name}: {before} to {after} is no move")
        primary, secondary = after["primary"], after.get("secondary")
        # A secondary of what has no mirror stands in the record alone.
        if one.template in MIRRORED and primary == secondary or any(node is not None and node not in self.nodes for node in (primary, secondary)):
            raise Broken(f"{one.name} cannot be at {after}")
        if one.template in MIRRORED and not {primary, secondary} & set(before.values()):
            raise Broken(f"{one.name} leaves both nodes at once")
        if one.template not in MIRRORED and before.get("secondary") != secondary:
            raise Broken(f"{one.name} has no mirror to move")
        newcomers = {node for node in (primary, secondary) if node is not None} - set(before.values())
        for node in newcomers | ({primary} if primary != before["primary"] else set()):
            if self.nodes[node].is_off:
                raise Broken(f"{one.name} goes to {node}, which is off")
        is_local = self.counts_disk and one.template in LOCAL and not one.is_forthcoming
        if one.is_forthcoming:
            one.primary, one.secondary = primary, secondary
            return
        self.memory[one.primary] += one.needs
        self.memory[primary] -= one.needs
        if primary != one.primary and self.memory[primary] < 0:
            raise Broken(f"{one.name} does not fit into the memory of {primary}")
        if is_local:
            for node in set(before.values()) - {primary, secondary}:
                self.disk[node] += one.disk
            for node in newcomers:
                self.disk[node] -= one.disk
                if self.disk[node] < 0:
                    raise Broken(f"{one.name} does not fit onto the disk of {node}")
        one.primary, one.secondary = primary, secondary

    def finish(self, plan):
        """What a plan leaves behind: nothing stays stopped, and a plan of reboots puts everything back."""
        if self.stopped:
            raise Broken(f"{sorted(self.stopped)} stay stopped")


def replay(text, *plans):
    """None, or the first step that breaks a rule, with the rule. Further plans begin where the one before ends."""
    model = Model(text)
    for plan in plans:
        model.rebooting.clear()
        if (fault := replay_on(model, plan)) is not None:
            return fault
    return None


def replay_on(model, plan):
    numbers = [step["n"] for step in plan["steps"]]
    if numbers != list(range(1, len(numbers) + 1)):
        return f"steps are numbered {numbers}"
    for step in plan["steps"]:
        try:
            for wait in step.get("waits_for", []):
                if wait.get("step", 0) >= step["n"]:
                    raise Broken(f"waits for step {wait['step']}, which comes later")
            model.apply(step)
        except (Broken, AttributeError) as error:
            return f"step {step['n']} ({step['action']} {step['subject']['name']}): {error}"
    try:
        model.finish(plan)
    except Broken as error:
        return str(error)
    return None

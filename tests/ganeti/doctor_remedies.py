#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Each remedy of hcheck --doctor is followed on random clusters, and the doctor asked again: what it was for must be gone.

The commands of a finding's action are applied to the snapshot: tags, moves, settings of groups, and hbal --repair where that is what
is advised. What is advised in words alone cannot be followed here. `doctor_remedies.py --bin DIR [--seeds N] [--first SEED]`.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

TAGS = ["htools:iextags:svc", "htools:nlocation:rack", "htools:desiredlocation:rack", "htools:migration:hv", "ballast:apart:svc",
        "htools:desiredlocation:lic:a", "htools:nlocation:rack:r1", "htools:iextags:svc:x", "ballast:pin:lic:a"]
INSTANCE_TAGS = ["svc:x", "svc:y", "htools:desiredlocation:rack:r1", "htools:iextags:svc", "lic:a", "rack:r1", "ballast:apart:svc"]
NODE_TAGS = ["rack:r1", "rack:r2", "hv:new", "lic:a", "htools:nlocation:rack", "htools:migration:hv"]


class Snapshot:
    """A text snapshot as lists of fields."""

    def __init__(self, text):
        parts = [[]]
        for line in text.splitlines():
            if line:
                parts[-1].append(line.split("|"))
            else:
                parts.append([])
        self.groups, self.nodes, self.instances = parts[0], parts[1], parts[2]
        self.tags, self.policies = [row[0] for row in parts[3]], parts[4]

    def text(self):
        blocks = [self.groups, self.nodes, self.instances, [[tag] for tag in self.tags], self.policies]
        return "\n".join("".join("|".join(row) + "\n" for row in block) for block in blocks)

    def named(self, rows, name):
        return next(row for row in rows if row[0] == name)

    def change(self, row, field, amount):
        row[field] = str(int(row[field]) + amount)

    def edit_tags(self, kind, words, adds):
        if kind == "cluster":
            self.tags = edited(self.tags, words, adds)
            return
        rows, field = (self.instances, 9) if kind == "instance" else (self.nodes, 10)
        row = self.named(rows, words[0])
        row[field] = ",".join(edited([tag for tag in row[field].split(",") if tag], words[1:], adds))

    def run_on(self, instance, target):
        memory = int(instance[1]) if instance[4] == "running" else 0
        self.change(self.named(self.nodes, instance[6]), 3, memory)
        self.change(self.named(self.nodes, target), 3, -memory)
        instance[6] = target

    def mirror_on(self, instance, target):
        self.change(self.named(self.nodes, instance[7]), 5, int(instance[2]))
        self.change(self.named(self.nodes, target), 5, -int(instance[2]))
        instance[7] = target

    def follow(self, command):
        """False: not a command that this model knows."""
        words = shlex.split(command)
        tool, verb, rest = words[0], words[1], words[2:]
        target = rest[rest.index("-n") + 1] if "-n" in rest else None
        plain = [word for i, word in enumerate(rest) if not word.startswith("-") and (i == 0 or rest[i - 1] != "-n")]
        if verb in ("add-tags", "remove-tags"):
            self.edit_tags(tool[4:], plain, verb == "add-tags")
        elif tool == "gnt-instance" and verb in ("migrate", "failover"):
            instance = self.named(self.instances, plain[-1])
            old = instance[6]
            self.run_on(instance, target or instance[7])
            if target is None:
                instance[7] = old
        elif tool == "gnt-instance" and verb == "replace-disks":
            self.mirror_on(self.named(self.instances, plain[-1]), target)
        elif tool == "gnt-group" and verb == "modify":
            for row in self.policies:
                for word in rest:
                    if word.startswith("--ipolicy-vcpu-ratio="):
                        row[4] = word.split("=")[1]
                    elif word.startswith("--ipolicy-disk-templates="):
                        row[3] = word.split("=")[1]
        else:
            return False
        return True


def edited(tags, words, adds):
    left = [tag for tag in tags if tag not in words]
    return left + list(words) if adds else left


def make(seed):
    rnd = random.Random(seed)
    names = [f"n{n}" for n in range(rnd.randint(3, 6))]
    use = {name: [0, 0, 0] for name in names}
    instances = []
    for i in range(rnd.randint(2, 12)):
        shape = rnd.choice(["drbd", "drbd", "ext", "plain", "rbd"])
        first, second = rnd.sample(names, 2)
        memory, disk, vcpus = rnd.choice([512, 1024, 2048]), rnd.choice([5000, 20000]), rnd.randint(1, 4)
        use[first][0] += memory
        use[first][2] += vcpus
        for node in [first] * (shape in ("drbd", "plain")) + [second] * (shape == "drbd"):
            use[node][1] += disk
        tags = ",".join(sorted(set(rnd.choices(INSTANCE_TAGS, k=rnd.choice([0, 0, 1, 1, 2])))))
        instances.append(f"i{i}|{memory}|{disk}|{vcpus}|running|Y|{first}|{second if shape == 'drbd' else ''}|{shape}|{tags}|1")
    nodes = []
    for name in names:
        tags = ",".join(sorted(set(rnd.choices(NODE_TAGS, k=rnd.choice([0, 1, 1, 2])))))
        memory, disk, _ = use[name]
        nodes.append(f"{name}|16384|512|{15872 - memory}|400000|{400000 - disk}|{rnd.choice([2, 4])}|N|u|10|{tags}")
    policy = f"|128,1,1024,1,1,1|128,1,1024,1,1,1;8192,16,65536,16,8,12|{rnd.choice(['drbd,plain,ext,rbd', 'drbd,plain'])}|{rnd.choice(['1.0', '4.0'])}|32.0"
    tags = rnd.sample(TAGS, rnd.randint(0, 4))
    return "\n".join(["g|u|preferred||", "", *nodes, "", *instances, "", *tags, "", policy, "g" + policy, ""])


def doctor(folder, binary, path):
    done = subprocess.run([binary / "hcheck", "-t", path, "-q", "--doctor", "--json"], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise AssertionError(f"hcheck ends with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout).get("findings", [])


def commands_of(action):
    """The commands that an action begins with, or the one behind ", or "; empty: words alone."""
    text = action.split(" or ")[-1] if action.startswith("move instances away") else action
    text = re.split(r" if | and | starts |;|: ", text)[0]
    found = [part.strip() for part in text.split(", ")]
    return found if all(part.startswith("gnt-") for part in found) else []


def key_of(finding):
    return finding["code"], json.dumps(finding.get("subject", {}), sort_keys=True)


def check_finding(folder, binary, text, finding, stats):
    commands = commands_of(finding.get("action", ""))
    snapshot = Snapshot(text)
    if not commands or not all(snapshot.follow(command) for command in commands):
        return None
    stats[finding["code"]] = stats.get(finding["code"], 0) + 1
    after = folder / "after.data"
    after.write_text(snapshot.text())
    left = [other for other in doctor(folder, binary, after) if key_of(other) == key_of(finding)]
    return f"{finding['code']}: {finding['text']}\n  after {', '.join(commands)}: {left[0]['text']}" if left else None


def check(seed, folder, binary, stats):
    text = make(seed)
    path = folder / "before.data"
    path.write_text(text)
    for finding in doctor(folder, binary, path):
        wrong = check_finding(folder, binary, text, finding, stats)
        if wrong:
            return f"seed {seed}: {wrong}\n{text}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--seeds", type=int, default=2000 if os.environ.get("BALLAST_LONG") else 60)
    parser.add_argument("--first", type=int, default=1)
    options = parser.parse_args()
    binary, stats, failed = options.bin.resolve(), {}, 0
    with tempfile.TemporaryDirectory() as name:
        for seed in range(options.first, options.first + options.seeds):
            wrong = check(seed, pathlib.Path(name), binary, stats)
            if wrong:
                print(wrong)
                failed += 1
    print(f"{options.seeds} clusters, remedies followed: {stats}")
    return 1 if failed or not stats else 0


if __name__ == "__main__":
    sys.exit(main())

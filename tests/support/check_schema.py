#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Holds plans against data/plan.schema.json with an independent validator (Debian: python3-jsonschema).

check_schema.py PROPERTY_PLAN_JSON: random plans that use every key, every plan in data/plans and among the golden cases; then spoilt ones, which must be refused.
Exit status 77 where the validator is absent.
"""
import copy
import json
import os
import pathlib
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    if sys.executable != "/usr/bin/python3" and os.access("/usr/bin/python3", os.X_OK):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    print("no jsonschema")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEEDS = 60


def plans_of(generator):
    for seed in range(1, SEEDS + 1):
        yield f"seed {seed}", subprocess.run([generator, "--print", str(seed), "8"], check=True, capture_output=True).stdout
    for path in sorted([*(ROOT / "data" / "plans").glob("*.json"), *(ROOT / "tests" / "golden").rglob("*")]):
        if path.is_file() and path.name != "cmd":
            # Golden cases hide what changes with every version.
            content = path.read_bytes().replace(b'"seal": "..."', b'"seal": "' + b"0" * 64 + b'"')
            if content.startswith(b'{\n  "kind": "plan"'):
                yield path.relative_to(ROOT).as_posix(), content


def containers(value):
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from containers(item)


def spoilt(plan):
    """Copies with one fault each; every one must be refused."""
    for key in ("kind", "format", "version", "seal", "fingerprint", "steps", "totals", "result"):
        broken = copy.deepcopy(plan)
        del broken[key]
        yield f"without {key}", broken
    for key, value in (("version", 2), ("system", "ceph"), ("seal", "x"), ("steps", {}), ("extra", 1)):
        broken = copy.deepcopy(plan)
        broken[key] = value
        yield f"{key} = {value}", broken
    for index in range(len(plan["steps"])):
        for key, value in (("n", 0), ("phase", "1"), ("action", ""), ("aktion", "x"), ("cost", {"bytes": 2**60}), ("subject", {"kind": "x"})):
            broken = copy.deepcopy(plan)
            broken["steps"][index][key] = value
            yield f"steps[{index}].{key} = {value}", broken


class Judge:
    """Holds documents and spoilt copies of them against a schema of data/."""

    def __init__(self, schema_file):
        self.schema = json.loads((ROOT / "data" / schema_file).read_text())
        jsonschema.Draft202012Validator.check_schema(self.schema)
        self.validator = jsonschema.Draft202012Validator(self.schema)
        self.problems, self.valid, self.refused = [], 0, 0

    def accept(self, name, document):
        errors = [f"{name}: {'/'.join(map(str, e.absolute_path))}: {e.message[:300]}" for e in self.validator.iter_errors(document)]
        self.problems += errors[:3]
        self.valid += not errors

    def refuse(self, name, spoilt_copies):
        for fault, broken in spoilt_copies:
            self.refused += 1
            if self.validator.is_valid(broken):
                self.problems.append(f"{name}: accepted {fault}")


def main():
    judge = Judge("plan.schema.json")
    keys_seen = set()
    for name, content in plans_of(sys.argv[1]):
        plan, _ = json.JSONDecoder().raw_decode(content.decode())  # hail's answer may follow its plan
        judge.accept(name, plan)
        if name.startswith("seed"):
            keys_seen.update(key for container in containers(plan) for key in container)
        if judge.valid <= 5:
            judge.refuse(name, spoilt(plan))
    declared = set(judge.schema["properties"]) | {key for part in judge.schema["$defs"].values() for key in part.get("properties", {})}
    if not declared <= keys_seen:
        judge.problems.append(f"never generated: {sorted(declared - keys_seen)}")
    print("\n".join(judge.problems) or f"{judge.valid} plans are valid, {judge.refused} spoilt ones refused")
    return 1 if judge.problems or not judge.valid or not judge.refused else 0


if __name__ == "__main__":
    sys.exit(main())

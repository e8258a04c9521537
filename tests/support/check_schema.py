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


def main():
    schema = json.loads((ROOT / "data" / "plan.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    problems = []
    keys_seen = set()
    valid = refused = 0
    for name, content in plans_of(sys.argv[1]):
        plan, _ = json.JSONDecoder().raw_decode(content.decode())  # hail's answer may follow its plan
        errors = [f"{name}: {'/'.join(map(str, e.absolute_path))}: {e.message[:300]}" for e in validator.iter_errors(plan)]
        problems += errors[:3]
        valid += not errors
        if name.startswith("seed"):
            keys_seen.update(key for container in containers(plan) for key in container)
        if valid <= 5:
            for fault, broken in spoilt(plan):
                refused += 1
                if validator.is_valid(broken):
                    problems.append(f"{name}: accepted {fault}")
    declared = set(schema["properties"]) | {key for part in schema["$defs"].values() for key in part.get("properties", {})}
    if not declared <= keys_seen:
        problems.append(f"never generated: {sorted(declared - keys_seen)}")
    print("\n".join(problems) or f"{valid} plans are valid, {refused} spoilt ones refused")
    return 1 if problems or not valid or not refused else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Holds every report document among the golden cases (format "ballast-report") against data/report.schema.json with an independent
validator (Debian: python3-jsonschema); then spoilt ones, which must be refused. Exit status 77 where the validator is absent.
"""
import copy
import json
import sys

from check_schema import ROOT, jsonschema

HEAD = b'{\n  "kind": "report",\n  "format": "ballast-report"'
TOOLS = {"hcheck", "hfdb", "hinfo", "hspace", "htidb"}  # at least these must be among the documents


def reports():
    """Documents of other formats (hfdb spread, hplan) are left out."""
    for path in sorted((ROOT / "tests" / "golden").rglob("*")):
        if path.is_file() and path.name != "cmd" and path.read_bytes().startswith(HEAD):
            yield path.relative_to(ROOT).as_posix(), json.loads(path.read_bytes())


def spoilt(report):
    """Copies with one fault each; every one must be refused."""
    for key in ("kind", "format", "version", "tool", "tool_version", "options", "summary", "findings", "tables"):
        broken = copy.deepcopy(report)
        del broken[key]
        yield f"without {key}", broken
    for key, value in (("version", 2), ("tool", "hbal"), ("fingerprint", "x"), ("findings", {}), ("tables", []), ("extra", 1),
                       ("summary", {"Nodes": 1}), ("tables", {"nodes": [1]}), ("tables", {"Nodes": []})):
        yield f"{key} = {value}", {**report, key: value}
    for index in range(len(report["findings"])):
        for key, value in (("severity", "bad"), ("code", "Not Kebab"), ("text", ""), ("action", ""), ("subject", []), ("extra", 1)):
            broken = copy.deepcopy(report)
            broken["findings"][index][key] = value
            yield f"findings[{index}].{key} = {value}", broken


def main():
    schema = json.loads((ROOT / "data" / "report.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    problems, tools = [], set()
    valid = refused = 0
    for name, report in reports():
        errors = [f"{name}: {'/'.join(map(str, e.absolute_path))}: {e.message[:300]}" for e in validator.iter_errors(report)]
        problems += errors[:3]
        valid += not errors
        tools.add(report.get("tool"))
        for fault, broken in spoilt(report):
            refused += 1
            if validator.is_valid(broken):
                problems.append(f"{name}: accepted {fault}")
    if not TOOLS <= tools:
        problems.append(f"no document of {sorted(TOOLS - tools)}")
    print("\n".join(problems) or f"{valid} reports of {', '.join(sorted(tools))} are valid, {refused} spoilt ones refused")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

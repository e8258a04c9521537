#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Holds every report document among the golden cases (format "ballast-report") against data/report.schema.json with an independent
validator (Debian: python3-jsonschema); then spoilt ones, which must be refused. Exit status 77 where the validator is absent.
"""
import copy
import json
import sys

from check_schema import ROOT, Judge

HEAD = b'{\n  "kind": "report",\n  "format": "ballast-report"'
TOOLS = {"hcheck", "hfdb", "hinfo", "hspace", "htidb"}  # at least these must be among the documents


def reports():
    """Documents of other formats (hplan) are left out."""
    for path in sorted((ROOT / "tests" / "golden").rglob("*")):
        if path.is_file() and path.name != "cmd" and path.read_bytes().startswith(HEAD):
            yield path.relative_to(ROOT).as_posix(), json.loads(path.read_bytes())


def spoilt(report):
    """Copies with one fault each; every one must be refused."""
    for key in ("kind", "format", "version", "tool", "tool_version", "options", "summary", "findings", "tables"):
        broken = copy.deepcopy(report)
        del broken[key]
        yield f"without {key}", broken
    for key, value in (("version", 2), ("tool", "htools"), ("fingerprint", "x"), ("findings", {}), ("tables", []), ("extra", 1),
                       ("summary", {"Nodes": 1}), ("tables", {"nodes": [1]}), ("tables", {"Nodes": []})):
        yield f"{key} = {value}", {**report, key: value}
    for index in range(len(report["findings"])):
        for key, value in (("severity", "bad"), ("code", "Not Kebab"), ("text", ""), ("action", ""), ("subject", []), ("extra", 1)):
            broken = copy.deepcopy(report)
            broken["findings"][index][key] = value
            yield f"findings[{index}].{key} = {value}", broken


def main():
    judge, tools = Judge("report.schema.json"), set()
    for name, report in reports():
        judge.accept(name, report)
        tools.add(report.get("tool"))
        judge.refuse(name, spoilt(report))
    if not TOOLS <= tools:
        judge.problems.append(f"no document of {sorted(TOOLS - tools)}")
    print("\n".join(judge.problems) or f"{judge.valid} reports of {', '.join(sorted(tools))} are valid, {judge.refused} spoilt ones refused")
    return 1 if judge.problems else 0


if __name__ == "__main__":
    sys.exit(main())

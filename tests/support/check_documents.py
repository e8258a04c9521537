#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Holds every JSON document of the suite among the golden cases against the schema of its format with an independent validator (Debian:
python3-jsonschema), plans and reports apart, which have checks of their own; then spoilt copies, which must be refused.
Exit status 77 where the validator is absent.
"""
import copy
import json
import sys

from check_schema import ROOT, Judge

FORMATS = {"ballast-error": "error.schema.json", "ballast-check": "check.schema.json", "ballast-diff": "diff.schema.json",
           "ballast-explain": "explain.schema.json"}
ELSEWHERE = {"ballast-plan", "ballast-report"}
FAILING = {"hbal", "hcheck", "hfdb", "hinfo", "hplan", "hspace", "htidb"}  # tools with an error among the cases


def documents():
    for path in sorted((ROOT / "tests" / "golden").rglob("*")):
        if not path.is_file() or path.name == "cmd":
            continue
        content = path.read_bytes()
        if not content.startswith(b'{\n  "kind": "'):
            continue
        try:
            document = json.loads(content)
        except ValueError:
            continue  # followed by other text: a case that prints several
        yield path.relative_to(ROOT).as_posix(), document


def spoilt(document):
    """Copies with one fault each; every one must be refused."""
    for key in ("kind", "format", "version"):
        broken = copy.deepcopy(document)
        del broken[key]
        yield f"without {key}", broken
    yield "version = 2", {**document, "version": 2}
    yield "extra", {**document, "extra": 1}


def main():
    judges = {name: Judge(file) for name, file in FORMATS.items()}
    problems, failing = [], set()
    for name, document in documents():
        judge = judges.get(document.get("format"))
        if judge is None:
            if document.get("format") not in ELSEWHERE:
                problems.append(f"{name}: no schema for format {document.get('format')}")
            continue
        judge.accept(name, document)
        judge.refuse(name, spoilt(document))
        if document["kind"] == "error":
            failing.add(document["tool"])
    for name, judge in judges.items():
        problems += judge.problems
        if judge.valid == 0:
            problems.append(f"no document of format {name}")
    if not FAILING <= failing:
        problems.append(f"no error of {sorted(FAILING - failing)}")
    print("\n".join(problems) or ", ".join(f"{judge.valid} of {name}" for name, judge in judges.items()) + " are valid, spoilt ones refused")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Each metric of the score means the same in ballast-score(7) and in the table of metrics (which reports print), and each has words at all.
Usage: check_metric_words.py
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "include/ballast/ganeti/metrics/table.hpp"


def plain(lines):
    """The first sentence of mdoc text."""
    text = " ".join(lines).replace(".Fl -", "--")
    return re.split(r"\.(?= |$)", text)[0].strip()


def in_manual():
    words, keys, lines = {}, [], []
    for line in (ROOT / "man/ballast-score.7").read_text().split(".Ss ")[1].splitlines():
        if line.startswith((".It Li", ".El")):
            words |= {key: plain(lines) for key in keys}
            keys, lines = re.findall(r"[a-z0-9]+(?:_[a-z0-9]+)+", line.split(" No ")[0]), []
        elif keys:
            lines.append(line)
    return words


def in_table():
    """A row has its name, its words, then the same for storage units where they take its place."""
    text = re.sub(r'" "', "", re.sub(r"\s+", " ", TABLE.read_text()))
    constants = dict(re.findall(r'string_view (k\w+) = "([^"]*)"', text))
    words, open_names = {}, {}
    for unit, name, unit_of_words, meaning, constant in re.findall(
            r'\.(unit_)?name = "(\w+)"|\.(unit_)?words = ?\{"[^"]*", (?:"([^"]*)"|table::(k\w+))\}', text):
        if name:
            open_names[unit] = name
        else:
            words[open_names[unit_of_words]] = meaning or constants[constant]
    return words


def main():
    manual, reports = in_manual(), in_table()
    metrics = re.findall(r'name = "(\w+)"', TABLE.read_text())
    problems = [f"{key}: no words in {where}" for key in [*metrics, *manual, *reports] for where, words in (("ballast-score(7)", manual), ("reports", reports)) if key not in words]
    problems += [f"{key}: the manual says {manual[key]!r}, reports {said!r}" for key, said in reports.items()
                 if key in manual and manual[key].casefold() != said.casefold()]
    if not metrics:
        problems.append("no metrics found")
    print("\n".join(dict.fromkeys(problems)) or f"{len(reports)} metrics mean the same everywhere")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Inputs that keep to the grammar of their format and are wrong or odd beyond it, given to whole programs.

The byte fuzzers (fuzz_*.cpp) mostly break the outer form. Here an input of the golden cases is taken apart as its format says (columns
of the text format, values of JSON, lines and scalars of YAML), one to four parts are exchanged for odd ones, and the programs that read
the format get it. Asked for: an end by an exit status within the time limit, no internal error, no failed assertion, JSON that parses;
and what is written reads back as the same (a saved text file, a plan). What masters and daemons answer comes from servers of this machine
(live_sources.py). Each input has a number of its own: --first N --count 1 repeats it.
"""
import argparse
import copy
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import live_sources

ROOT = pathlib.Path(__file__).resolve().parent.parent / "golden"
ODD_TEXT = ["", "-", "?", "0", "-1", "1", "999999999999999999999", "9223372036854775807", "-9223372036854775808", "1e308", "NaN", "0x10",
            "0.5", "Y", "N", "M", "running", "drbd", "plain", "diskless", "sharedfile", "a" * 3000, "ä", "\x1b[2J", "n0", "x,y;z", "--help", "|"]
ODD_VALUES = [None, True, False, 0, -1, 0.5, 1e308, 2 ** 63, -2 ** 70, "", "0", "x", "ä\u202e", "a" * 3000, [], {}, [[]], [None], {"": None}]
LIMIT_SECONDS = 60


def text_input(rng, source):
    """Sections, rows and columns of the text format."""
    rows = [line.split("|") for line in source.split("\n")]
    for _ in range(rng.randint(1, 4)):
        row = rng.randrange(len(rows))
        column = rng.randrange(len(rows[row]))
        change = rng.randrange(7)
        if change < 3:
            rows[row][column] = rng.choice(ODD_TEXT)
        elif change == 3:
            other = rng.choice(rows)
            rows[row][column] = rng.choice(other)
        elif change == 4:
            rows.insert(row, list(rng.choice(rows)))
        elif change == 5 and len(rows) > 1:
            del rows[row]
        else:
            rows[row] = rows[row][:column] + rows[row][column + 1:] if rng.random() < 0.5 else rows[row] + [rng.choice(ODD_TEXT)]
    return "\n".join("|".join(row) for row in rows)


def places(value, found):
    """Every container in a JSON value with each of its keys."""
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    for key in keys:
        found.append((value, key))
        places(value[key], found)
    return found


def json_input(rng, source, most=4):
    document = json.loads(source)
    for _ in range(rng.randint(1, most)):
        known = places(document, [])
        if not known:
            break
        container, key = rng.choice(known)
        change = rng.randrange(5)
        if change < 2:
            container[key] = copy.deepcopy(rng.choice(ODD_VALUES))
        elif change == 2:
            other, place = rng.choice(known)
            container[key] = copy.deepcopy(other[place])
        elif change == 3:
            del container[key]
        elif isinstance(container, list):
            container.insert(key, copy.deepcopy(container[key]))
        else:
            container[str(rng.choice(ODD_TEXT))] = copy.deepcopy(container[key])
    return json.dumps(document)


def yaml_input(rng, source):
    """Lines, and the scalar behind a colon or a dash."""
    lines = source.split("\n")
    for _ in range(rng.randint(1, 4)):
        n = rng.randrange(len(lines))
        head, colon, _ = lines[n].partition(":")
        change = rng.randrange(5)
        if change < 2:
            odd = rng.choice(ODD_TEXT + ["[]", "{}", "null", "~", "[a, b]", "{a: b}", "&x 1", "*x", "!!binary x", "'x"])
            lines[n] = f"{head}{colon} {odd}" if colon else lines[n] + odd
        elif change == 2:
            lines.insert(n, rng.choice(lines))
        elif change == 3 and len(lines) > 1:
            del lines[n]
        else:
            lines[n] = rng.choice(["  ", "    "]) + lines[n] if rng.random() < 0.5 else lines[n].lstrip()
    return "\n".join(lines)


# Format: how it is taken apart, the files that it starts from, and the commands that read it (one of them each time).
FORMATS = {
    "text": (text_input, ["h*/*/*.data"], [
        ["hbal", "-t", "@", "--json"], ["hbal", "-t", "@", "-l", "3", "-p", "-C"], ["hroller", "-t", "@", "--force", "--full-evacuation", "--json"],
        ["hsqueeze", "-t", "@", "--json"], ["hcheck", "-t", "@", "-l", "5", "--json"], ["hinfo", "-t", "@", "-p", "--json"],
        ["hbal", "-t", "@", "--explain", "i0"], ["hcheck", "-t", "@", "--doctor"]]),
    "iallocator": (json_input, ["hail/*/*.json"], [["hail", "@"], ["hail", "@", "--explain"], ["hbal", "-I", "@", "-l", "3"],
                                                   ["hcheck", "-I", "@", "-l", "5"]]),
    "plan": (json_input, ["../../data/plans/*.json"], [["hplan", "show", "@"], ["hplan", "show", "--html", "@"], ["hplan", "show", "--markdown", "@"],
                                                  ["hplan", "show", "--shell", "@"], ["hplan", "show", "--json", "@"]]),
    "fdb": (yaml_input, ["hfdb/*/*.yaml"], [["hfdb", "plan", "--current", "@", "--set", "storageServersPerPod=2", "--json"],
                                            ["hfdb", "plan", "--current", "@", "--desired", "@"], ["hfdb", "analyze", "--current", "@"]]),
    "tidb": (yaml_input, ["htidb/*/*.yaml"], [["htidb", "plan", "--current", "@", "--set", "tikv.replicas=5", "--json"],
                                              ["htidb", "plan", "--current", "@", "--desired", "@"]]),
}


class Fuzzer:
    def __init__(self, binaries, folder):
        self.binaries, self.folder = binaries, folder
        self.counts, self.taken, self.faults = {}, {}, []

    def run(self, words):
        return subprocess.run([str(self.binaries / words[0]), *words[1:]], capture_output=True, cwd=self.folder, timeout=LIMIT_SECONDS,
                              stdin=subprocess.DEVNULL)

    def complaint(self, words):
        try:
            run = self.run(words)
        except subprocess.TimeoutExpired:
            return None, f"runs for more than {LIMIT_SECONDS} s"
        text = (run.stdout + run.stderr).decode(errors="replace")
        if run.returncode < 0 or run.returncode > 5:
            return run, f"ends with status {run.returncode}: {text[-300:]}"
        for word in ("internal error", "Assertion", "terminate called", "Sanitizer", "runtime error"):
            if word in text:
                return run, f"says {word!r}: {text[-300:]}"
        if "--json" in words and run.returncode == 0:
            try:
                json.loads(run.stdout)
            except ValueError as error:
                return run, f"its JSON does not parse: {error}"
        return run, None

    def round_trip(self, form, path):
        """What is written reads back as the same."""
        once, twice = self.folder / "once", self.folder / "twice"
        if form == "text":
            for source, target in ((path, once), (f"{once}.original", twice)):
                if self.run(["hbal", "-t", str(source), "-l", "0", "-S", str(target)]).returncode != 0:
                    return None
            pair = [pathlib.Path(f"{name}.original").read_bytes() for name in (once, twice)]
        else:
            pair = [self.run(["hplan", "show", "--json", str(path)]).stdout]
            once.write_bytes(pair[0])
            pair.append(self.run(["hplan", "show", "--json", str(once)]).stdout)
        return None if pair[0] == pair[1] else "what is written reads back as something else"

    def one(self, form, number):
        rng = random.Random(f"{form} {number}")
        if form in live_sources.SOURCES:
            with live_sources.SOURCES[form](rng, self.folder, json_input) as words:
                self.count(form, number, words, *self.complaint(words))
            return
        mutate, _, commands = FORMATS[form]
        source = rng.choice(self.sources(form)).read_text(errors="surrogateescape")
        try:
            text = mutate(rng, source)
        except ValueError:
            return  # a golden input that is meant to be broken JSON
        path = self.folder / "input"
        path.write_text(text, errors="surrogateescape")
        words = [str(path) if word == "@" else word for word in rng.choice(commands)]
        run, fault = self.complaint(words)
        if fault is None and form in ("text", "plan") and run.returncode == 0 and number % 4 == 0:
            fault = self.round_trip(form, path)
        self.count(form, number, words, run, fault)

    def count(self, form, number, words, run, fault):
        self.counts[form] = self.counts.get(form, 0) + 1
        self.taken[form] = self.taken.get(form, 0) + (run is not None and run.returncode in (0, 3))
        if fault is not None:
            self.faults.append(f"{form} {number}: {' '.join(words)}: {fault}")

    def sources(self, form):
        return sorted({path.resolve() for pattern in FORMATS[form][1] for path in ROOT.glob(pattern) if path.stat().st_size < 30000})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--count", type=int, default=20000 if os.environ.get("BALLAST_LONG") else 60, help="inputs of each format")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--format", action="append", choices=sorted([*FORMATS, *live_sources.SOURCES]))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        fuzzer = Fuzzer(options.bin.resolve(), pathlib.Path(name))
        for form in options.format or [*FORMATS, *live_sources.SOURCES]:
            for number in range(options.first, options.first + options.count):
                fuzzer.one(form, number)
    for fault in fuzzer.faults[:20]:
        print(fault.encode(errors="replace").decode(), file=sys.stderr)
    told = ", ".join(f"{count} of {form} ({fuzzer.taken[form]} understood)" for form, count in fuzzer.counts.items())
    print(f"inputs: {told}; {len(fuzzer.faults)} faults")
    return 1 if fuzzer.faults else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Names that shells, option parsers, terminals and editors read: nothing that is printed runs what it should not.

Clusters whose nodes and instances have hostile names are planned, and every script is executed, with commands on PATH that only write
down what they are called with. What is asked for: no file appears (the names try to make one), every command gets each name as one
whole argument, none takes a name for an option (it stands behind `--` or behind an option that takes a value), and no form of a plan
holds a character that is acted on instead of shown. All runs with BALLAST_LONG or --stride 1; else some for each name.
"""
import argparse
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

NAMES = ["$(touch PWN)", "`touch PWN`", ";touch PWN;", "a&touch PWN&", "x>PWN", "a b", "-rf", "--help", "-oProxyCommand=touch PWN", "a'b",
         "a';touch PWN;'", 'a"b', 'a";touch PWN;"', "a\\nb", "a\\", "*", "~root", "#x", "!x", "${IFS}x", "%s%n", "\x1b[2Jx", "\x07x",
         "\u0085x", "\u009b2Jx", "\u2028x", "\u202egnp.exe", "\u200bx", "\u2066x", "ä.example", "plain.example"]
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
FAKES = ["gnt-instance", "gnt-node", "gnt-cluster", "ssh", "sleep", "pgrep"]
FAKE = """#!/bin/sh
{ printf '%s\\0' "${0##*/}" "$@"; printf '\\036\\0'; } >> "$CALLS"
"""
POLICY = "|128,1,1024,1,1,1|128,1,1024,1,1,1;32768,8,1048576,16,8,12|drbd,plain,sharedfile|4.0|32.0"


def node_row(name, free, flag="N", tags=""):
    return f"{name}|16384|512|{free}|400000|300000|8|{flag}|u|10|{tags}|N|0|1|1.0"


def crowded(name):
    """All instances on one node: something moves, and the node has to be emptied before it reboots."""
    nodes = [f"{name}{n}" for n in range(4)]
    rows = [f"{name}i{n}|1024|5000|1|running|Y|{nodes[0]}|{nodes[1]}|drbd|{name}|1|-|N" for n in range(4)]
    return "\n".join([f"{name}g|u|preferred||", "", node_row(nodes[0], 11776, "M"), *[node_row(node, 15872) for node in nodes[1:]], "", *rows,
                      "", f"htools:iextags:{name}", POLICY, ""])


def spare(name):
    """Shared storage and more nodes than it needs: some are switched off."""
    nodes = [f"{name}{n}" for n in range(4)]
    rows = [f"{name}i{n}|1024|5000|1|running|Y|{nodes[n]}||sharedfile||1|-|N" for n in range(3)]
    return "\n".join([f"{name}g|u|preferred||", "", node_row(nodes[0], 14848, "M"), *[node_row(node, 14848) for node in nodes[1:3]],
                      node_row(nodes[3], 15872), "", *rows, "", "", POLICY, ""])


class Bench:
    def __init__(self, binaries, folder):
        self.binaries, self.folder = binaries, folder
        self.faults, self.runs, self.calls_seen = [], 0, 0
        tools = folder / "fakes"
        tools.mkdir()
        for fake in FAKES:
            (tools / fake).write_text(FAKE)
            (tools / fake).chmod(0o755)
        self.calls = folder / "calls"
        self.place = folder / "place"
        self.place.mkdir()
        self.environment = {**os.environ, "PATH": f"{tools}:/usr/bin:/bin", "CALLS": str(self.calls), "NO_COLOR": "1"}

    def run(self, tool, *words):
        self.runs += 1
        return subprocess.run([str(self.binaries / tool), *words], capture_output=True, cwd=self.place, timeout=120)

    def fault(self, name, what):
        self.faults.append(f"{name!r}: {what}")

    def execute(self, name, script, known):
        self.calls.write_bytes(b"")
        # Checks and gates look at a cluster that is not there: they are run once each, and the script goes on.
        text = script.replace(b'      stopped "$1" 4\n', b"      return 0\n").replace(b'  exit "$2"\n', b"  :\n")
        words = ["--timeout=0", "--interval=0"] if b"--interval" in script else []
        run = subprocess.run(["sh", "-s", "--", *words], input=text, capture_output=True, cwd=self.place, env=self.environment, timeout=120)
        if b"syntax error" in run.stderr or b"Syntax error" in run.stderr or b"not found" in run.stderr:
            self.fault(name, f"the shell says {run.stderr[:300]!r}")
        made = sorted(path.name for path in self.place.iterdir())
        if made:
            self.fault(name, f"running the script made {made}\n{script.decode(errors='replace')}")
            for path in self.place.iterdir():
                path.unlink()
        for call in self.calls.read_bytes().decode(errors="replace").split("\x1e\0"):
            words = call.split("\0")[:-1]
            if words:
                self.calls_seen += 1
                self.judge_call(name, words, known)

    def judge_call(self, name, words, known):
        """Words that hold a part of the name are names, whole; only `-n` and `--` stand before one that begins with a hyphen."""
        for before, word in zip(words, words[1:]):
            if name not in word:
                continue
            if word not in known:
                self.fault(name, f"{words}: {word!r} is no name of the cluster")
            elif word.startswith("-") and before not in ("-n", "--"):
                self.fault(name, f"{words}: {word!r} is read as an option")

    def look(self, name, what, output):
        text = output.decode(errors="replace")
        if (found := HIDDEN.search(text)) is not None:
            self.fault(name, f"{what} holds {found.group()!r}: {text[max(0, found.start() - 60):found.end() + 20]!r}")

    def plans(self, name, tool, *words):
        plan = self.run(tool, *words, "--json")
        if plan.returncode not in (0, 3) or b'"steps"' not in plan.stdout:
            return self.fault(name, f"{tool} {words}: {plan.returncode} {plan.stderr[:300]!r}")
        self.look(name, f"{tool}: the JSON", plan.stdout)
        path = self.folder / "plan.json"
        path.write_bytes(plan.stdout)
        for form in ("", "--markdown", "--html", "--shell"):
            shown = self.run("hplan", "show", *filter(None, [form]), str(path))
            self.look(name, f"{tool}: the form {form}", shown.stdout)
        return shown.stdout

    def cluster(self, name, text, is_taken):
        """`is_taken()` chooses the runs that are made."""
        data = self.folder / "cluster.data"
        data.write_text(text)
        known = {f"{name}{n}" for n in range(4)} | {f"{name}i{n}" for n in range(4)} | {f"htools:iextags:{name}"}
        for tool, words in (("hbal", []), ("hbal", ["--evac-mode"]), ("hroller", ["--full-evacuation"]), ("hroller", ["--offline-maintenance"]),
                            ("hsqueeze", ["--target-resources=0.1", "--minimal-resources=0.1"])):
            if not is_taken():
                continue
            if (script := self.plans(name, tool, "-t", str(data), *words)) is not None:
                self.execute(name, script, known)
        commands = self.folder / "commands.sh"
        for tool, words in (("hbal", []), ("hsqueeze", ["--target-resources=0.1", "--minimal-resources=0.1"])):
            if not is_taken():
                continue
            self.run(tool, "-t", str(data), f"-C{commands}", *words)
            self.execute(name, commands.read_bytes(), known)
            commands.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--stride", type=int, default=1 if os.environ.get("BALLAST_LONG") else 5, help="make every STRIDE-th run")
    options = parser.parse_args()
    turns = itertools.count(1)
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(options.bin.resolve(), pathlib.Path(name))
        for hostile in NAMES:
            for make in (crowded, spare):
                bench.cluster(hostile, make(hostile), lambda: next(turns) % options.stride == 0)
    for fault in bench.faults[:15]:
        print(fault, file=sys.stderr)
    if bench.calls_seen < 5 * len(NAMES):
        print("too few commands were run: the clusters are too dull", file=sys.stderr)
        return 1
    print(f"{len(NAMES)} names, {bench.runs} runs, {bench.calls_seen} commands, {len(bench.faults)} faults")
    return 1 if bench.faults else 0


if __name__ == "__main__":
    sys.exit(main())

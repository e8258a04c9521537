#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""No tool writes over what it read: each option that writes a file is given each of the run's inputs, by its name, by a link, by another
name of the same file and by way of its folder. The input is as it was, the tool says so and fails (hail: the exit status stays), and nothing
is left beside it.

Usage: inputs_stay.py --bin DIR      Exit status: 0 all well, 1 not.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "fuzz"))
import growing  # noqa: E402

FDB, TIDB = ROOT / "data" / "fdb" / "density", ROOT / "data" / "tidb" / "figures"
CLUSTER = growing.text(None, [growing.instance(i, primary=0, secondary=1) for i in range(4)])
FILES = {"cluster": CLUSTER, "cluster.original": CLUSTER, "cluster.alloc": CLUSTER, "cluster.standard": CLUSTER, "cluster.tiered": CLUSTER,
         "loads": "i0 1 1 1 1\n", "rules": "rules: [{apart: [i0, i1]}]\n", "site": "[hbal]\nmax-cpu = 16\n", "mond": "[]\n"}
HBAL = "hbal -t cluster -U loads --rules rules --config site -l 3"
# Command, the option that writes, the inputs.
TABLE = [(command, option, inputs) for command, options, inputs in [
    (HBAL, ["--save-plan", "--report", "--metrics", "--output", "-C"], ["cluster", "loads", "rules", "site"]),
    ("hbal -t cluster --mond-data mond --mond --since plan -l 3", ["--save-plan", "--report"], ["mond", "plan"]),
    ("hcheck -t cluster --rules rules", ["--report", "--metrics", "--output"], ["cluster", "rules"]),
    ("hroller -t cluster --force --rules rules", ["--report", "--output", "--save-plan"], ["cluster", "rules"]),
    ("hsqueeze -t cluster", ["-C", "--report", "--output", "--save-plan"], ["cluster"]),
    ("hspace -t cluster -l 2", ["--report", "--metrics", "--output"], ["cluster"]),
    ("hinfo -t cluster", ["--metrics", "--output"], ["cluster"]),
    ("hail request", ["--plan", "--report"], ["request"]),
    ("hplan check -t cluster plan", ["--output"], ["cluster", "plan"]),
    ("hplan show plan", ["--output"], ["plan"]),
    ("hplan undo -t cluster plan", ["--output"], ["cluster", "plan"]),
    ("hplan resume -t cluster plan", ["--output"], ["cluster", "plan"]),
    ("hplan after -t cluster plan", ["--output"], ["cluster", "plan"]),
    ("hplan diff plan plan", ["--output"], ["plan"]),
    ("hfdb plan --current fdb.yaml --kube pods.json --status status.json --set storageServersPerPod=2 --now 2026-11-28T12:00:00Z",
     ["--output", "--report", "--save-plan", "--metrics"], ["fdb.yaml", "pods.json", "status.json"]),
    ("htidb plan --current tidb.yaml --set tikv.replicas=5 --now 2026-11-28T12:00:00Z", ["--output", "--report", "--save-plan", "--metrics"],
     ["tidb.yaml"])] for option in options]
# What -S makes of its name.
SAVED = [("hbal -t cluster.original -l 3 -S cluster", "cluster.original"), ("hspace -t cluster.standard -l 2 -S cluster", "cluster.standard"),
         ("hspace -t cluster.tiered -l 2 -S cluster", "cluster.tiered")]
WAYS = {"its name": lambda name: name, "a link": lambda name: link(name, os.symlink), "a hard link": lambda name: link(name, os.link),
        "its folder": lambda name: f"./deeper/../{name}"}


def link(name, make):
    pathlib.Path("other").unlink(missing_ok=True)
    make(name, "other")
    return "other"


class Bench:
    def __init__(self, binaries):
        self.binaries, self.faults, self.runs = binaries, [], 0
        for name, text in FILES.items():
            pathlib.Path(name).write_text(text)
        pathlib.Path("deeper").mkdir()
        for source, name in ((FDB / "cluster.yaml", "fdb.yaml"), (FDB / "pods.json", "pods.json"), (FDB / "status.json", "status.json"),
                             (TIDB / "values-fig5.yaml", "tidb.yaml"), (ROOT / "tests" / "golden" / "hail" / "evacuate-all" / "request.json", "request")):
            shutil.copy(source, name)
        self.run(["hbal", "-t", "cluster", "--save-plan", "plan", "-q"])
        self.names = sorted(os.listdir())

    def run(self, words):
        self.runs += 1
        return subprocess.run([str(self.binaries / words[0]), *words[1:]], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60,
                              env={**os.environ, "BALLAST_CONFIG": ""})

    def refused(self, command, words, name, fails=True):
        before = pathlib.Path(name).read_bytes()
        run = self.run(words)
        pathlib.Path("other").unlink(missing_ok=True)
        if pathlib.Path(name).read_bytes() != before:
            self.faults.append(f"{command}: {name} is not what it was")
            pathlib.Path(name).write_bytes(before)
        if "was read in this run" not in run.stdout + run.stderr or (fails and run.returncode == 0):
            self.faults.append(f"{command}: {run.returncode} {run.stdout[-200:]}{run.stderr[-200:]}")
        for more in set(os.listdir()) - set(self.names):
            pathlib.Path(more).unlink()
            self.faults.append(f"{command}: {more} is left")

    def table(self):
        for command, option, inputs in TABLE:
            for name in inputs:
                for way, make in WAYS.items():
                    target = make(name)
                    given = [option + target] if option == "-C" else [option, target] if command.split()[0] in ("hfdb", "htidb") else [f"{option}={target}"]
                    self.refused(f"{command} {option} of {name} by {way}", [*command.split(), *given], name, not command.startswith("hail"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    options = parser.parse_args()
    binaries = options.bin.resolve()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        bench = Bench(binaries)
        bench.table()
        for command, name in SAVED:
            bench.refused(command, command.split(), name)
            bench.names = sorted(os.listdir())
        os.chdir("/")
    for fault in bench.faults[:20]:
        print(fault, file=sys.stderr)
    print(f"{bench.runs} runs, {len(bench.faults)} faults")
    return 1 if bench.faults else 0


if __name__ == "__main__":
    sys.exit(main())

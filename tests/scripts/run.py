#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs the script form of plans, with sh, against fake commands whose gates hold at once, late or never.

Ganeti: the script runs the plan's commands, each after the gate of the step before, and stops with the number of the step at the first that fails or
never holds; with --resume-from it goes on there. Operators: the script changes nothing whatever happens.
Usage: run.py --bin DIR [--only NAME]
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
GANETI = {
    "hbal": "hbal -t data/ganeti/office.data --json",
    "hbal of split units": "hbal -t data/ganeti/split-units.data --json",
    "hroller": "hroller -t data/ganeti/office.data --force --json",
    "hroller offline": "hroller -t data/ganeti/office.data --force --offline-maintenance --json",
    "hbal drain": "hbal -t tests/golden/hbal/evacuation-names-what-stays/cluster.data -O n1 -E --json",
    "hail evacuation": "hail tests/golden/hail/plan-tells-why-instances-stay/request.json --plan /dev/stderr 2>&1 >/dev/null | sed '/^The plan has been written/d'",
    "hsqueeze": "hsqueeze -t tests/golden/hsqueeze/json/cluster.data --json",
}
DENSITY = "--current data/fdb/density/cluster.yaml --kube data/fdb/density/pods.json --status data/fdb/density/status.json --now 2026-11-28T12:00:00Z"
FIG5 = "--current data/tidb/figures/values-fig5.yaml --pd data/tidb/state/fig5-healthy/pd-store.json"
OPERATORS = {
    "density": f"hfdb plan {DENSITY} --set storageServersPerPod=2",
    "drain": f"hfdb drain {DENSITY} --node node-2",
    "version": f"hfdb plan {DENSITY} --set version=7.3.63",
    "scale in": f"htidb plan {FIG5} --desired data/tidb/examples/06-desired.yaml",
    "sets": "htidb plan --current data/tidb/figures/values-fig1.yaml --desired data/tidb/examples/05-desired.yaml",
    "new cluster": "htidb plan --desired data/tidb/figures/values-fig2.yaml",
}
PLACEHOLDER = re.compile(r"<[A-Z]+>|\bTIME\b|\bID\b|(?<![?*])\?\?(?!\?)")
FAKE_TOOL = """#!/bin/sh
echo "${0##*/} $*" >> "$FAKE_CALLS"
case "$*" in *"-o jsonpath"*) echo rev-2 ;; *"-o name"*) [ "$FAKE_MODE" = never ] && echo left; exit 0 ;; *) echo '{}' ;; esac
"""
# Which gate it is says its filter; `late` lets each hold at the third look.
FAKE_JQ = """#!/bin/sh
cat > /dev/null
[ "$FAKE_MODE" = never ] && exit 1
[ "$FAKE_MODE" = late ] || exit 0
key=$(printf '%s' "$*" | cksum | tr -d ' ')
n=$(cat "$FAKE_COUNTS/$key" 2>/dev/null || echo 0)
echo $((n + 1)) > "$FAKE_COUNTS/$key"
[ "$n" -ge 2 ]
"""
WRITING = re.compile(r"\b(delete|annotate|label|patch|apply|scheduler|exclude|include|coordinators|configure|kill|transfer|cancel-delete)\b")


class Bench:
    def __init__(self, bin_folder):
        self.bin, self.problems, self.runs = bin_folder, [], 0

    def tool(self, command):
        env = {**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}"}
        return subprocess.run(["bash", "-c", command], cwd=ROOT, env=env, capture_output=True, text=True, check=False)

    def expect(self, holds, name, what, run=None):
        if holds:
            return
        said = f"\n--- out\n{run.stdout[-800:]}\n--- err\n{run.stderr[-800:]}" if run else ""
        self.problems.append(f"{name}: {what}{said}")

    def script(self, folder, text, arguments, env):
        self.runs += 1
        file = folder / "plan.sh"
        file.write_text(text)
        path = f"{folder / 'fake'}:{os.environ['PATH']}"
        return subprocess.run(["sh", str(file), "--interval", "0", *arguments], cwd=folder, env={**os.environ, "PATH": path, **env},
                              capture_output=True, text=True, check=False, timeout=300)


def fake_folder(folder, files):
    fake = folder / "fake"
    fake.mkdir()
    for name, text in files.items():
        (fake / name).write_text(text)
        (fake / name).chmod(0o755)
    return fake


def check_words(bench, name, script):
    for line in script.splitlines():
        if not line.lstrip().startswith("#") and PLACEHOLDER.search(line):
            bench.problems.append(f"{name}: a placeholder in a command: {line}")
    syntax = subprocess.run(["sh", "-n"], input=script, capture_output=True, text=True, check=False)
    bench.expect(syntax.returncode == 0, name, f"no shell: {syntax.stderr}")


def write_world(folder, plan, placed=None):
    """The cluster before the plan, as fake_gnt.sh reads it; `placed`: where instances are instead."""
    shutil.rmtree(folder, ignore_errors=True)
    for kind in ("instance", "node", "shown"):
        (folder / kind).mkdir(parents=True)
    for name, one in plan["objects"]["instance"].items():
        (folder / "instance" / name).write_text(f"{one['primary']} {one.get('secondary') or '-'} running\n")
    for name, state in (placed or {}).items():
        (folder / "instance" / name).write_text(state)
    for name, figures in plan["before"].items():
        (folder / "node" / name).write_text("Y\n" if figures.get("offline") else "N\n")


def places(folder):
    return {file.name: file.read_text() for file in (folder / "instance").iterdir()}


class Ganeti:
    """The script of one plan, run against the fake cluster."""

    def __init__(self, bench, name, made, folder):
        self.bench, self.name, self.folder, self.world = bench, name, folder, folder / "world"
        self.plan = json.loads(made)
        self.end = 3 if self.plan["blocked"] else 0
        (folder / "plan.json").write_text(made)
        self.text = bench.tool(f"hplan show --shell {folder / 'plan.json'}").stdout
        fake_folder(folder, {tool: (HERE / "fake_gnt.sh").read_text() for tool in ("gnt-instance", "gnt-node", "gnt-cluster", "ssh")})
        # What people run, by step.
        self.wanted = [[c["text"] for c in step["commands"] if c["use"] == "hand"] for step in self.plan["steps"]]

    def expect(self, holds, what, done):
        self.bench.expect(holds, self.name, what, done)

    def run(self, arguments=(), placed=None, **more):
        """What the script said, and which commands it ran."""
        write_world(self.world, self.plan, placed)
        calls = self.folder / "calls"
        calls.write_text("")
        done = self.bench.script(self.folder, self.text, list(arguments), {"FAKE_WORLD": str(self.world), "FAKE_CALLS": str(calls), **more})
        return done, calls.read_text().splitlines()

    def commands_until(self, step):
        """The number of commands of steps 1 to `step`."""
        return sum(map(len, self.wanted[:step]))

    def check(self):
        check_words(self.bench, self.name, self.text)
        steps = len(self.wanted)
        done, calls = self.run()
        self.expect(done.returncode == self.end and len(calls) == self.commands_until(steps), f"at once: status {done.returncode}, {len(calls)} commands", done)
        self.after = places(self.world)
        done, calls = self.run(FAKE_LATE="2")
        self.expect(done.returncode == self.end and len(calls) == self.commands_until(steps), "late", done)
        # What is only said by commands' exit status is not late.
        self.expect("waiting:" in done.stdout or "ssh " in self.text, "late: nobody waited", done)
        for n in sorted({1, (steps + 1) // 2, steps}):
            self.never(n)
            if self.wanted[n - 1]:
                self.fails(n)
        wrong_arguments(self.bench, self.name, self.run, steps)
        self.moved()

    def never(self, n):
        """What step n does to its subject never shows: nothing behind the step whose gate looks at it is run."""
        stuck = self.plan["steps"][n - 1]["subject"]["name"]
        done, calls = self.run(["--timeout", "3"], FAKE_STUCK=stuck)
        told = re.search(r"stopped in step (\d+)", done.stderr)
        self.expect(done.returncode == 4 and told, f"{stuck} never shows: status {done.returncode}", done)
        if told:
            self.expect(len(calls) == self.commands_until(int(told[1])), f"{stuck} never shows: {len(calls)} commands", done)

    def fails(self, n):
        failing = self.wanted[n - 1][0]
        at = next(i for i, commands in enumerate(self.wanted, 1) if failing in commands)
        done, calls = self.run(FAKE_FAIL=failing.replace("'", ""))
        self.expect(done.returncode == 1 and f"step {at}: failed" in done.stderr, f"step {at} fails: status {done.returncode}", done)
        self.expect(len(calls) == self.commands_until(at - 1) + 1, f"step {at} fails: {len(calls)} commands", done)
        done, _ = self.run(["--resume-from", str(at)], placed=places(self.world))
        self.expect(done.returncode == self.end and places(self.world) == self.after, f"resumed at {at}: status {done.returncode}", done)

    def moved(self):
        name = next((s["subject"]["name"] for s in self.plan["steps"] if "from" in s), None)
        if name:
            done, _ = self.run(placed={name: "elsewhere nowhere running\n"})
            self.expect(done.returncode == 1 and "not in the expected state" in done.stderr, "an instance that moved is not noticed", done)


def ganeti(bench, name, command):
    with tempfile.TemporaryDirectory() as scratch:
        Ganeti(bench, name, bench.tool(command).stdout, pathlib.Path(scratch)).check()


def wrong_arguments(bench, name, run, steps):
    for arguments in (["--resume-from", "0"], ["--resume-from", str(steps + 1)], ["--resume-from", "x"], ["--resume-from"], ["--what", "1"], ["7"]):
        done, calls = run(arguments)
        bench.expect(done.returncode == 2 and not calls, name, f"{arguments}: status {done.returncode}", done)
    done, calls = run(["--help"])
    bench.expect(done.returncode == 0 and "usage:" in done.stdout and not calls, name, "--help", done)


def operator(bench, name, command):
    text = bench.tool(command + " --format shell").stdout
    plan = json.loads(bench.tool(command + " --format json").stdout)
    check_words(bench, name, text)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "counts").mkdir()
        fake_folder(folder, {"kubectl": FAKE_TOOL, "fdbcli": FAKE_TOOL, "pd-ctl": FAKE_TOOL, "jq": FAKE_JQ})
        end = 3 if plan["blocked"] else 0
        gated = [step["n"] for step in plan["steps"] if step.get("done_when")]

        def run(arguments=(), **more):
            (folder / "calls").write_text("")
            done = bench.script(folder, text, list(arguments), {"FAKE_CALLS": str(folder / "calls"), "FAKE_COUNTS": str(folder / "counts"), **more})
            calls = (folder / "calls").read_text().splitlines()
            for call in calls:
                bench.expect(not WRITING.search(call.split("jsonpath")[0]), name, f"a command that changes something: {call}")
            return done, calls

        bench.expect(gated, name, "no step has a gate")
        done, _ = run(FAKE_MODE="once")
        bench.expect(done.returncode == end and done.stdout.count("step ") >= len(plan["steps"]), name, f"at once: status {done.returncode}", done)
        done, _ = run(FAKE_MODE="late")
        bench.expect(done.returncode == end and "waiting:" in done.stdout, name, f"late: status {done.returncode}", done)
        done, _ = run(["--timeout", "2"], FAKE_MODE="never")
        bench.expect(done.returncode == 4 and f"stopped in step {gated[0]} " in done.stderr, name, f"never: status {done.returncode}", done)
        # Beyond its own timeout a gate is given what the plan knows: here that passes at once, since looks are counted.
        done, _ = run(["--timeout", "2", "--resume-from", str(gated[-1])], FAKE_MODE="never")
        bench.expect(done.returncode == 4 and f"stopped in step {gated[-1]} " in done.stderr, name, f"never, resumed: status {done.returncode}", done)
        wrong_arguments(bench, name, lambda arguments: run(arguments, FAKE_MODE="once"), len(plan["steps"]))
        shutil.rmtree(folder / "fake")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--only", default="", help="plans whose name has this in it")
    arguments = parser.parse_args()
    bench = Bench(pathlib.Path(arguments.bin).resolve())
    for kind, plans in ((ganeti, GANETI), (operator, OPERATORS)):
        for name, command in plans.items():
            if arguments.only in name:
                kind(bench, name, command)
    print("\n".join(bench.problems) or f"{bench.runs} runs of scripts")
    return 1 if bench.problems else 0


if __name__ == "__main__":
    sys.exit(main())

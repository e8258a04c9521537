#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs the script form of plans, with sh, against fake commands whose gates hold at once, late or never.

Ganeti: the script runs the plan's commands, each after the gate of the step before, and stops with the number of the step at the first that fails or
never holds; with --resume-from it goes on there. Operators: the script changes nothing whatever happens.
Usage: run.py --bin DIR
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
    "hsqueeze": "hsqueeze -t data/ganeti/two-tiers.data --minimal-resources 1 --target-resources 1 --json",
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
PLACEHOLDER = re.compile(r"<[A-Z]+>|\bTIME\b|\bID\b|\?\?")
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


def world_of(plan):
    """The cluster before the plan."""
    instances = {name: {"nodes": [one["primary"], *([one["secondary"]] if "secondary" in one else [])], "status": "running"}
                 for name, one in plan["objects"]["instance"].items()}
    return {"instances": instances, "offline": [name for name, figures in plan["before"].items() if figures.get("offline")], "shown": {}}


def ganeti(bench, name, command):
    made = bench.tool(command)
    plan = json.loads(made.stdout)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "plan.json").write_text(made.stdout)
        text = bench.tool(f"hplan show --shell {folder / 'plan.json'}").stdout
        check_words(bench, name, text)
        fake_folder(folder, {tool: (HERE / "fake_gnt.py").read_text() for tool in ("gnt-instance", "gnt-node", "gnt-cluster", "ssh")})
        wanted = [[c["text"] for c in step["commands"] if c["use"] == "hand"] for step in plan["steps"]]
        env = {"FAKE_WORLD": str(folder / "world.json"), "FAKE_CALLS": str(folder / "calls")}

        def run(arguments=(), world=None, **more):
            (folder / "world.json").write_text(json.dumps(world or world_of(plan)))
            (folder / "calls").write_text("")
            done = bench.script(folder, text, list(arguments), {**env, **more})
            return done, (folder / "calls").read_text().splitlines()

        def steps_called(calls):
            return len(calls)

        total = sum(len(commands) for commands in wanted)
        done, calls = run()
        bench.expect(done.returncode == 0 and steps_called(calls) == total, name, f"at once: status {done.returncode}, {len(calls)} of {total} commands", done)
        after = json.loads((folder / "world.json").read_text())
        done, calls = run(FAKE_LATE="3")
        bench.expect(done.returncode == 0 and len(calls) == total, name, "late", done)
        bench.expect("waiting:" in done.stdout, name, "late: nobody waited", done)
        for n in sorted({1, (len(wanted) + 1) // 2, len(wanted)}):
            step = plan["steps"][n - 1]
            stuck = step["subject"]["name"]
            first = next(s["n"] for s in plan["steps"] if s["subject"]["name"] == stuck)
            done, calls = run(["--timeout", "3"], FAKE_STUCK=stuck)
            # A node of a group that reboots together is waited for behind the last of them.
            allowed = sum(len(commands) for commands in wanted[:first])
            is_named = re.search(r"stopped in step (\d+)", done.stderr)
            bench.expect(done.returncode == 4 and is_named, name, f"{stuck} never shows: status {done.returncode}", done)
            if is_named:
                allowed = sum(len(commands) for commands in wanted[:int(is_named[1])])
                bench.expect(len(calls) == allowed, name, f"{stuck} never shows: {len(calls)} commands, {allowed} up to that step", done)
            if not wanted[n - 1]:
                continue
            failing = wanted[n - 1][0]
            at = next(i for i, commands in enumerate(wanted, 1) if failing in commands)
            done, calls = run(FAKE_FAIL=failing.replace("'", ""))
            bench.expect(done.returncode == 1 and f"step {at}: failed" in done.stderr, name, f"step {at} fails: status {done.returncode}", done)
            bench.expect(len(calls) == sum(map(len, wanted[:at - 1])) + 1, name, f"step {at} fails: {len(calls)} commands", done)
            # What is left is made from where it stopped.
            middle = json.loads((folder / "world.json").read_text())
            done, calls = run(["--resume-from", str(at)], world=middle)
            bench.expect(done.returncode == 0, name, f"resumed at {at}: status {done.returncode}", done)
            bench.expect(json.loads((folder / "world.json").read_text())["instances"] == after["instances"], name, f"resumed at {at}: ends elsewhere", done)
        wrong_arguments(bench, name, run, len(wanted))
        other = world_of(plan)
        moved = next((s["subject"]["name"] for s in plan["steps"] if "from" in s), None)
        if moved:
            other["instances"][moved]["nodes"] = ["elsewhere", "nowhere"]
            done, calls = run(world=other)
            bench.expect(done.returncode == 1 and "not in the expected state" in done.stderr, name, "an instance that moved is not noticed", done)


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
    bench = Bench(pathlib.Path(parser.parse_args().bin).resolve())
    for name, command in GANETI.items():
        ganeti(bench, name, command)
    for name, command in OPERATORS.items():
        operator(bench, name, command)
    print("\n".join(bench.problems) or f"{bench.runs} runs of scripts of {len(GANETI) + len(OPERATORS)} plans")
    return 1 if bench.problems else 0


if __name__ == "__main__":
    sys.exit(main())

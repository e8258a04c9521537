#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The files of --metrics, of every tool that writes one: each line is well-formed, no sample stands twice, names follow the conventions of Prometheus
(with promtool, from the package prometheus, where it is there: $PROMTOOL or on the PATH), and what hbal tells is what its plan says.
Usage: metrics.py --bin DIR
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

ROOT = pathlib.Path(__file__).resolve().parents[2]
DENSITY = "--current data/fdb/density/cluster.yaml --kube data/fdb/density/pods.json --status data/fdb/density/status.json --now 2026-11-28T12:00:00Z"
COMMANDS = {
    "hbal": "hbal -t data/ganeti/office.data -q",
    "hbal with units": "hbal -t data/ganeti/split-units.data -q",
    # Names of the cluster stand in labels: in a name of a metric these would break the conventions.
    "hbal with odd units": "hbal -t <(sed s/vg-ssd/bad_summary_total/ data/ganeti/split-units.data) -q",
    "hcheck": "hcheck -t data/ganeti/office.data -q --doctor",
    "hinfo": "hinfo -t data/ganeti/split-units.data -q",
    "hspace": "hspace -t data/ganeti/office.data -q",
    "hfdb": f"hfdb plan {DENSITY} --set storageServersPerPod=2",
    "htidb": "htidb plan --current data/tidb/figures/values-fig5.yaml --desired data/tidb/examples/06-desired.yaml --pd data/tidb/state/fig5-healthy/pd-store.json",
}
SAMPLE = re.compile(r'ballast_[a-z0-9_]+(\{[a-z_][a-z0-9_]*="(?:[^"\\]|\\.)*"(,[a-z_][a-z0-9_]*="(?:[^"\\]|\\.)*")*\})? (NaN|[+-]Inf|-?[0-9.e+-]+)$')


# What promtool says of names, for machines without it: words of types, endings of counters and histograms.
ODD_NAME = re.compile(r"_(gauge|counter|histogram|summary|untyped)(_|$)|_(total|count|sum|bucket)$")


def check_lines(name, text):
    problems, seen = [], set()
    for line in text.splitlines():
        if line.startswith("# TYPE") and ODD_NAME.search(line.split()[2]):
            problems.append(f"{name}: against the conventions: {line.split()[2]}")
        if line.startswith("# HELP ballast_") or re.fullmatch(r"# TYPE ballast_[a-z0-9_]+ gauge", line):
            continue
        if not SAMPLE.fullmatch(line):
            problems.append(f"{name}: no sample: {line}")
        key = line.rsplit(" ", 1)[0]
        if key in seen:
            problems.append(f"{name}: twice: {key}")
        seen.add(key)
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True)
    env = {**os.environ, "PATH": f"{pathlib.Path(parser.parse_args().bin).resolve()}:{os.environ['PATH']}"}
    promtool = os.environ.get("PROMTOOL") or shutil.which("promtool")
    problems = []
    with tempfile.TemporaryDirectory() as scratch:
        for name, command in COMMANDS.items():
            file = pathlib.Path(scratch) / "metrics.prom"
            file.unlink(missing_ok=True)
            subprocess.run(["bash", "-c", f"{command} --metrics {file}"], cwd=ROOT, env=env, capture_output=True, check=False)
            if not file.is_file():
                problems.append(f"{name}: no file")
                continue
            text = file.read_text()
            problems += check_lines(name, text)
            if promtool:
                done = subprocess.run([promtool, "check", "metrics"], input=text, capture_output=True, text=True, check=False)
                if done.returncode != 0 or done.stderr:
                    problems.append(f"{name}: promtool: {done.stderr or done.stdout}")
            if name == "hbal":
                plan = json.loads(subprocess.run(["bash", "-c", command + " --json"], cwd=ROOT, env=env, capture_output=True, check=False).stdout)
                for key, value in (("score", plan["score"]["before"]), ("score_reachable", plan["score"]["after"]), ("plan_steps", len(plan["steps"])),
                                   ("plan_copy_bytes", plan["totals"]["bytes"])):
                    told = re.search(rf"^ballast_{key} (\S+)$", text, re.M)
                    if not told or float(told[1]) != value:
                        problems.append(f"hbal: {key} is {told and told[1]}, the plan says {value}")
    print("\n".join(problems) or f"{len(COMMANDS)} files are well-formed{'' if promtool else ' (no promtool)'}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: BSD-2-Clause
"""Plans of hfdb and htidb with the inputs they were made from: every golden case is run with its tool replaced by a script that notes the
words it is called with and saves the plan."""
import json
import os
import pathlib
import shlex
import shutil
import subprocess

import yaml

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden"
DATA = GOLDEN.parent.parent / "data"
FILES = {"--current", "--desired", "--kube", "--status", "--pd", "--nodes", "--pvs", "--peer"}

SHIM = """#!/bin/sh
n=$(ls "$NOTES" | wc -l)
case $1 in plan|drain|spread) ;; *) exec {tool} "$@" ;; esac
pwd > "$NOTES/$n.words"
for word; do printf '%s\\n' "$word"; done >> "$NOTES/$n.words"
exec {tool} "$@" --save-plan "$NOTES/$n.json"
"""


def inputs_of(words, folder):
    """The files and settings among the words of a command."""
    inputs = {"sets": {}}
    words = [part for word in words for part in (word.split("=", 1) if word.partition("=")[0] in FILES | {"--set"} else [word])]
    for option, value in zip(words, words[1:]):
        if option in FILES:
            if value == "-":
                return None
            inputs.setdefault(option[2:], []).append(str(folder / value))
        elif option == "--set":
            path, _, text = value.partition("=")
            inputs["sets"][path] = yaml.safe_load(text)
    inputs["words"] = words
    return inputs


def golden_plans(binaries, scratch, tool):
    """Yields (name, inputs, plan) of each case whose command makes plans; the files stay until the next one is asked for."""
    bin_folder, notes = scratch / "bin", scratch / "notes"
    bin_folder.mkdir(exist_ok=True)
    (bin_folder / tool).write_text(SHIM.format(tool=shlex.quote(str(binaries / tool))))
    (bin_folder / tool).chmod(0o755)
    environment = {**os.environ, "PATH": f"{bin_folder}:{binaries}:{os.environ['PATH']}", "NOTES": str(notes), "BALLAST_DATA": str(DATA),
                   "BALLAST_CONFIG": "", "LC_ALL": "C.UTF-8"}
    for case in sorted(cmd.parent for cmd in (GOLDEN / tool).glob("*/cmd")):
        work = scratch / "case"
        shutil.rmtree(work, ignore_errors=True)
        shutil.rmtree(notes, ignore_errors=True)
        shutil.copytree(case, work)
        notes.mkdir()
        subprocess.run(["bash", "cmd"], cwd=work, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
        for saved in sorted(notes.glob("*.json")):
            folder, *words = saved.with_suffix(".words").read_text().split("\n")[:-1]
            inputs = inputs_of(words, pathlib.Path(folder))
            if inputs is not None and "current" in inputs | ({"current": 1} if tool == "htidb" else {}):
                yield f"{tool}/{case.name}", inputs, json.loads(saved.read_text())

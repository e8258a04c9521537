# SPDX-License-Identifier: BSD-2-Clause
"""Cases of the remote API as a source: saved answers of random clusters, now and then one of them broken; hscan among the tools."""
import random

from support import broken_json, cluster, live, runner

TOOLS = ["hscan", "hscan", "hinfo", "hbal", "hroller"]
OPTIONS = {
    "hscan": [["-p"], ["--no-headers"], ["-v"], ["--static-kvm-node-memory=0"], ["-pname,status,plist,slist,fmem"], ["file://nowhere"], ["-d", "."]],
    "hinfo": [["-p"], ["--print-instances"], ["-v"], ["-v"], ["--static-kvm-node-memory=0"], ["--ignore-dynu"]],
    "hbal": [["-p"], ["-C"], ["-v"], ["-l", "5"], ["--print-instances"]],
    "hroller": [["-v"], ["--ignore-non-redundant"], ["--one-step-only"]],
}


def files_of(rng, seed, make):
    """The answers, one of them broken in a part of the cases."""
    snapshot = cluster.random_cluster(rng)
    files = make(rng, snapshot)
    if seed % 3 == 0:
        name = rng.choice(sorted(files))
        if rng.random() < 0.04:
            del files[name]
        elif files[name].value:
            files[name] = broken_json.broken(rng, files[name])
    return files


def case(seed):
    rng = random.Random(f"rapi{seed}")
    tool = TOOLS[seed % len(TOOLS)]
    files = files_of(rng, seed, live.rapi)
    words = [option for option in OPTIONS[tool] if rng.random() < 0.3]
    address = rng.choice(["file://.", "file://./"])
    rng.shuffle(words)
    return runner.Case(tool, seed, files, [[address] if tool == "hscan" else ["-m", address]] + words)

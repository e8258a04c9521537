#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""One question, asked in four ways on random clusters with storage units, reserves and shared pools: does one more instance fit?
hail's answer, its explanation, hbal --make-room and hspace must agree.
"""
import argparse
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

SIZES = {"plain": [500, 1000, 4000], "drbd": [372, 500, 872, 873, 1000, 4000], "sharedfile": [300, 500, 501, 600, 1000, 1001, 1400]}
POLICY = "|128,1,128,1,1,1|128,1,128,1,1,1;32768,8,1048576,16,8,12|drbd,plain,sharedfile|8.0|32.0"
LEAST = {"memory-size": 128, "cpu-count": 1, "disk-size": 128, "disk-count": 1, "nic-count": 1, "spindle-use": 1}
MOST = {"memory-size": 32768, "cpu-count": 8, "disk-size": 1048576, "disk-count": 16, "nic-count": 8, "spindle-use": 12}


def random_cluster(rng):
    count = rng.randint(1, 5)
    with_units = rng.random() < 0.8
    memory = [rng.choice([1100, 2000, 4000, 8000]) for _ in range(count)]
    free = [rng.choice([400, 500, 1000, 1001, 3000]) for _ in range(count)]
    pool = rng.choice([500, 1000, 1400, 5000])
    rows = []
    for n in range(rng.randint(0, count)):
        primary = rng.randrange(count)
        if memory[primary] < 700:
            continue
        template = rng.choice(["sharedfile", "plain"] + (["drbd"] if count > 1 else []))
        secondary = f"n{(primary + 1) % count}" if template == "drbd" else ""
        memory[primary] -= 512
        unit = {"sharedfile": "100,sharedfile,pool", "plain": "100,lvm-vg,ssd", "drbd": "228,drbd8,ssd"}[template]
        rows.append(f"i{n}|512|{228 if template == 'drbd' else 100}|1|running|Y|n{primary}|{secondary}|{template}||1|-|N" +
                    ("|" + unit if with_units else ""))
    nodes = []
    for n in range(count):
        sees_pool = rng.random() < 0.9
        units = f"|{free[n]},5000,drbd8,ssd;{free[n]},5000,lvm-vg,ssd" + (f";{pool},9000,sharedfile,pool" if sees_pool else "")
        nodes.append(f"n{n}|16384|0|{memory[n]}|5000|{free[n]}|8|{'M' if n == 0 else 'N'}|u|10||N|0|1|1.0" + (units if with_units else ""))
    return "\n".join(["g|u|preferred||", "", *nodes, "", *rows, "", "", POLICY, "g" + POLICY, ""])


def request(rng_memory, disk, template):
    nodes = 2 if template == "drbd" else 1
    return {"cluster_tags": [], "instances": {}, "nodes": {}, "enabled_hypervisors": ["kvm"],
            "nodegroups": {"u": {"name": "g", "alloc_policy": "preferred", "networks": [], "tags": [], "ipolicy": {
                "minmax": [{"min": LEAST, "max": MOST}], "std": LEAST, "disk-templates": ["drbd", "plain", "sharedfile"],
                "vcpu-ratio": 8.0, "spindle-ratio": 32.0}}},
            "request": {"type": "allocate", "name": "new", "memory": rng_memory, "vcpus": 1, "required_nodes": nodes,
                        "disk_space_total": disk + (128 if nodes == 2 else 0), "disks": [{"size": disk, "mode": "rw"}],
                        "disk_template": template, "nics": [], "os": "x", "tags": [], "spindle_use": 1, "hypervisor": "kvm"}}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=1500 if os.environ.get("BALLAST_LONG") else 120)
    parser.add_argument("--first", type=int, default=1)
    options = parser.parse_args()
    faults, fitting = [], 0
    with tempfile.TemporaryDirectory() as name:
        data, document = pathlib.Path(name) / "cluster.data", pathlib.Path(name) / "request.json"

        def run(tool, *words):
            return subprocess.run([str(options.bin / tool), *words], capture_output=True, text=True, timeout=120)

        for seed in range(options.first, options.first + options.seeds):
            rng = random.Random(seed)
            text = random_cluster(rng)
            data.write_text(text)
            template = rng.choice(sorted(SIZES))
            memory, disk = rng.choice([256, 1000, 2000]), rng.choice(SIZES[template])
            document.write_text(json.dumps(request(memory, disk, template)))
            hail = run("hail", str(document), "-t", str(data), "--explain")
            answer = json.loads(hail.stdout)["success"] if hail.stdout.startswith("{") else None
            explained = re.search(r"candidates?, (\d+) of them fit", hail.stderr)
            told = explained is not None and int(explained.group(1)) > 0
            room = run("hbal", "-t", str(data), "--make-room", f"memory={memory},disk={disk},template={template}")
            makes = re.search(r"fits already on [^,\n]*\.", room.stdout) is not None
            tightly = run("hbal", "-t", str(data), "--reserve", "200", "--make-room", f"memory={memory},disk={disk},template={template}")
            reserved = re.search(r"fits already on [^,\n]*\.", tightly.stdout) is not None
            space = run("hspace", "-t", str(data), "--disk-template", template, "--accept-existing-errors",
                        f"--standard-alloc={disk},{memory},1", f"--tiered-alloc={disk},{memory},1", "--machine-readable")
            count = re.search(r"HTS_ALLOC_INSTANCES=(\d+)", space.stdout)
            what = f"seed {seed}: {template}, {memory} MiB of memory, {disk} MiB of disk:"
            fitting += answer is True
            if answer is None:
                answer = False
            if explained is not None and told != answer:
                faults.append(f"{what} hail says {answer}, --explain {explained.group()}\n{text}{hail.stdout}{hail.stderr}")
            if makes != answer and "Cluster is empty" not in room.stdout:
                faults.append(f"{what} hail says {answer}, --make-room {room.stdout[-300:]}{room.stderr}\n{text}{hail.stdout}")
            if reserved and not answer:
                faults.append(f"{what} hail says no, --reserve --make-room yes\n{text}{hail.stdout}")
            if count is not None and template != "drbd" and (int(count.group(1)) > 0) != answer:
                faults.append(f"{what} hail says {answer}, hspace {space.stdout[-500:]}\n{text}{hail.stdout}")
    for fault in faults[:5]:
        print(fault, file=sys.stderr)
    print(f"{options.seeds} questions, {fitting} instances fit, {len(faults)} disagreements")
    return 1 if faults or not options.seeds / 6 < fitting < options.seeds * 5 / 6 else 0


if __name__ == "__main__":
    sys.exit(main())

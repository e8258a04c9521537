#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes a plan of hbal's kind for a large cluster, for the looks of its report: make_large.py PLAN.json NODES STEPS > large.json.

PLAN.json lends what does not depend on the size. Figures follow a fixed pattern, the seal does not hold.
"""
import json
import math
import sys

GIB = 1024**3
RACK = 40


def gauge(share, total):
    return {"used": int(share * total), "total": total}


def share(index, swing):
    return min(0.98, max(0.02, 0.55 + swing * math.sin(index * 2.7) + 0.05 * math.cos(index * 11.3)))


def figures(index, swing):
    used = share(index, swing)
    return {"memory_bytes": gauge(used, 256 * GIB), "memory_reserved_bytes": 8 * GIB, "disk_bytes": gauge(share(index + 7, swing), 4096 * GIB),
            "storage_bytes": {"drbd8/hdd": gauge(share(index + 3, swing), 3072 * GIB), "lvm-vg/ssd": gauge(share(index + 5, swing / 2), 1024 * GIB)},
            "cpus_used": int(used * 64), "primaries": int(used * 12), "secondaries": 4 + index % 5, "n_plus_one": swing < 0.2 or index % 17 != 0}


def main():
    plan = json.load(open(sys.argv[1], encoding="utf-8"))
    nodes, steps = int(sys.argv[2]), int(sys.argv[3])
    pattern = plan["steps"][0]

    def node(index):
        return f"node{index % nodes + 1:04}.dc1.example.com"

    plan["before"] = {node(i): figures(i, 0.38) for i in range(nodes)}
    plan["after"] = {node(i): figures(i, 0.08) for i in range(nodes)}
    plan["objects"] = {"instance": {}, "node": {node(i): {"group": f"group{i // (nodes // 4 + 1) + 1}", "location": f"rack:{i // RACK + 1}"} for i in range(nodes)}}
    plan["steps"] = []
    for n in range(1, steps + 1):
        old, kept, new = (node(n * k) for k in (7, 11, 13))
        name, size = f"customer{n}.prod.dc1.example.com", (20 + n * 37 % 400) * GIB
        step = json.loads(json.dumps(pattern))
        step |= {"n": n, "phase": (n + 4) // 5, "subject": {"kind": "instance", "name": name}, "from": {"primary": old, "secondary": kept}, "to": {"primary": new, "secondary": kept},
                 "cost": {"bytes": size, "links": [{"from": kept, "to": new, "bytes": size}], "seconds_at_least": size // (100 * 1024**2)},
                 "unprotected": [{"what": "mirror of the disks", "name": name, "until_step": n}]}
        for side in ("before", "after"):
            step[side] = {one: {"memory_free_bytes": (90 + n % 50) * GIB, "disk_free_bytes": (900 + n % 500) * GIB, "n_plus_one": True} for one in (old, kept, new)}
        step["commands"] = [{"use": "check", "text": f"test \"$(gnt-instance list --no-headers --separator=: -o pnode,snodes {name})\" = {old}:{kept}"},
                            *({"use": "hand", "text": f"gnt-instance {what}"} for what in (f"migrate -f {name}", f"replace-disks -n {new} {name}", f"migrate -f {name}"))]
        step["done_when"] = [{"text": f"{name} is on {new}:{kept}", "command": f"test \"$(gnt-instance list --no-headers --separator=: -o pnode,snodes {name})\" = {new}:{kept}"}]
        plan["steps"].append(step)
    total = sum(step["cost"]["bytes"] for step in plan["steps"])
    plan["totals"] |= {"steps": steps, "phases": plan["steps"][-1]["phase"], "bytes": total, "seconds_at_least": total // (500 * 1024**2)}
    plan["headline"] = f"{steps} steps"
    plan["weakest"] = []
    json.dump(plan, sys.stdout)


if __name__ == "__main__":
    main()

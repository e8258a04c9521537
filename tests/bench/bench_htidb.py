#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""bench_htidb.py --bin DIR [--limit SECONDS] [KIND-STORES-SETS...]: CPU seconds and peak memory of whole htidb processes on made-up
clusters of many TiKV stores, as a Markdown table. KIND: upgrade (all pods restart, half of the sets grow, the others shrink), nodes (the
same, and every new pod must find a node without another store, and a local volume), blocked (every set shrinks below the copies, remedies are tried), groups
(as nodes, with the groups of operator v2).
There is no other program to compare with; --reference is accepted and not used.
"""
import pathlib
import subprocess
import sys
import tempfile

import measured

ROWS = ["upgrade-100-5", "upgrade-1000-20", "upgrade-5000-50", "nodes-100-5", "nodes-1000-20", "blocked-1000-20", "groups-1000-20"]
REQUESTS = "tikv.resources={requests: {cpu: 4, memory: 8Gi, storage: 500Gi}}"
APART = ("tikv.affinity={podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, "
         "labelSelector: {matchLabels: {app.kubernetes.io/component: tikv}}}]}}")
MAKE = pathlib.Path(__file__).with_name("make_tidb.py")


def node_list(stores):
    """Nodes for all stores and a tenth more, each with two local volumes, in three zones."""
    nodes = "".join(f"- {{name: n{i:05}, zone: z{i % 3}, allocatable: {{cpu: 16, memory: 64Gi}}, localVolumes: "
                    "[{class: local, size: 1Ti}, {class: local, size: 1Ti}]}\n" for i in range(stores + stores // 10 + 30))
    return f"nodes:\n{nodes}"


def arguments_of(kind, folder, stores):
    if kind == "groups":
        (folder / "nodes.yaml").write_text(node_list(stores))
        return ["plan", "--current", folder / "groups-current.yaml", "--desired", folder / "groups-desired.yaml", "--kube",
                folder / "groups-pods.json", "--nodes", folder / "nodes.yaml", "--now", "0", "--format", "brief"]
    arguments = ["plan", "--current", folder / "current.yaml", "--pd", folder / "store.json", "--now", "0", "--format", "brief"]
    if kind == "blocked":
        return [*arguments, "--desired", folder / "current.yaml", "--set", "tikv.replicas=0", "--set", "tikv.extra=null"]
    if kind == "nodes":
        (folder / "nodes.yaml").write_text(node_list(stores))
        return [*arguments, "--desired", folder / "desired.yaml", "--nodes", folder / "nodes.yaml", "--set", REQUESTS, "--set", APART,
                "--set", "tikv.storageClassName=local"]
    return [*arguments, "--desired", folder / "desired.yaml"]


def main():
    parser = measured.parser(__doc__, 60)
    parser.add_argument("rows", nargs="*")
    args = parser.parse_args()
    print("| plan | stores | sets | CPU, s | peak, MiB | steps | exit |\n|---|---|---|---|---|---|---|")
    for row in args.rows or ROWS:
        kind, stores, sets = row.split("-")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            subprocess.run([sys.executable, MAKE, folder, stores, sets], check=True)
            result = measured.run([pathlib.Path(args.bin) / "htidb", *arguments_of(kind, folder, int(stores))], args.limit, (0, 3))
        steps = result.output.count(b"\n") if result else 0
        figures = f"{result.cpu:.3f} | {result.mib:.1f} | {steps} | {result.status}" if result else "- | - | - | -"
        print(f"| {kind} | {stores} | {sets} | {figures} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())

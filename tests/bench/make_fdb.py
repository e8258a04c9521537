#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes a healthy FoundationDB cluster of GROUPS process groups (seven tenths storage, two tenths log, the rest stateless) whose pods lie
in ZONES zones: DIR/cluster.yaml, DIR/pods.json, DIR/status.json. Usage: make_fdb.py DIR [GROUPS=2000] [ZONES=50]"""
import argparse
import json
import pathlib

NOW = 1_772_366_400
VERSION = "7.3.69"


def members(count):
    sizes = [("storage", count * 7 // 10), ("log", count * 2 // 10)]
    sizes.append(("stateless", count - sum(size for _, size in sizes)))
    return [(kind, number) for kind, size in sizes for number in range(1, size + 1)]


def address(position):
    return f"10.{position // 62500}.{position // 250 % 250}.{position % 250 + 1}"


def cluster(groups, zones):
    counts = {kind: sum(1 for other, _ in groups if other == kind) for kind in ("storage", "log", "stateless")}
    coordinators = [address(i) for i, (kind, _) in enumerate(groups) if kind == "log"][:3]
    status = [{"processGroupID": f"{kind}-{number}", "processClass": kind, "addresses": [address(i)], "faultDomain": f"zone-{i % zones}"}
              for i, (kind, number) in enumerate(groups)]
    text = ",".join(f"{ip}:4501" for ip in coordinators)
    return {"apiVersion": "apps.foundationdb.org/v1beta2", "kind": "FoundationDBCluster",
            "metadata": {"name": "big", "namespace": "fdb", "generation": 1, "uid": "0000"},
            "spec": {"version": VERSION, "processCounts": counts, "routing": {"useDNSInClusterFile": False},
                     "databaseConfiguration": {"redundancy_mode": "double", "logs": 3}},
            "status": {"configured": True, "runningVersion": VERSION, "connectionString": f"big:abc@{text}", "processGroups": status,
                       "storageServersPerDisk": [1], "logServersPerDisk": [1], "imageTypes": ["unified"]}}, coordinators


def pod(kind, number, position, zones):
    name = f"big-{kind}-{number}"
    labels = {"foundationdb.org/fdb-cluster-name": "big", "foundationdb.org/fdb-process-class": kind,
              "foundationdb.org/fdb-process-group-id": f"{kind}-{number}"}
    return {"kind": "Pod", "metadata": {"name": name, "namespace": "fdb", "labels": labels, "creationTimestamp": "2026-01-01T00:00:00Z",
                                        "annotations": {"foundationdb.org/image-type": "unified",
                                                        "foundationdb.org/last-applied-config-map": "same",
                                                        "foundationdb.org/last-applied-spec": "same"}},
            "spec": {"nodeName": f"zone-{position % zones}", "containers": [{"name": "foundationdb", "image": "foundationdb/fdb-kubernetes-monitor:" + VERSION,
                     "resources": {"requests": {"cpu": "1", "memory": "8Gi"}}}]},
            "status": {"phase": "Running", "podIP": address(position), "containerStatuses": [{"ready": True}]}}


def process(kind, number, position, zones, coordinators):
    roles = [{"role": "coordinator"}] if address(position) in coordinators else []
    if kind == "storage":
        roles.append({"role": "storage", "stored_bytes": 32 * 10**9, "kvstore_used_bytes": 40 * 10**9})
    if kind == "log":
        roles.append({"role": "log"})
    return {"address": address(position) + ":4501", "class_type": kind, "excluded": False, "version": VERSION, "roles": roles,
            "locality": {"instance_id": f"{kind}-{number}", "process_id": f"{kind}-{number}-1", "zoneid": f"zone-{position % zones}",
                         "machineid": f"zone-{position % zones}"},
            "disk": {"free_bytes": 86 * 10**9, "total_bytes": 126 * 10**9}, "uptime_seconds": 864000}


def status_json(groups, zones, coordinators):
    processes = {f"{i:032x}": process(kind, number, i, zones, coordinators) for i, (kind, number) in enumerate(groups)}
    return {"client": {"timestamp": NOW, "database_status": {"available": True, "healthy": True},
                       "coordinators": {"quorum_reachable": True,
                                        "coordinators": [{"address": ip + ":4501", "reachable": True} for ip in coordinators]}},
            "cluster": {"processes": processes,
                        "data": {"state": {"healthy": True}, "team_trackers": [{"primary": True, "state": {"min_replicas_remaining": 2}}]},
                        "logs": [{"current": True, "log_fault_tolerance": 1, "log_replication_factor": 2}],
                        "recovery_state": {"active_generations": 1, "name": "fully_recovered", "seconds_since_last_recovered": 864000}}}


def main():
    parser = argparse.ArgumentParser(description="Writes cluster.yaml, pods.json and status.json of a big FoundationDB cluster.")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("count", type=int, nargs="?", default=2000, help="process groups (default: 2000)")
    parser.add_argument("zones", type=int, nargs="?", default=50, help="fault domains (default: 50)")
    options = parser.parse_args()
    folder, count, zones = options.folder, options.count, options.zones
    folder.mkdir(parents=True, exist_ok=True)
    groups = members(count)
    document, coordinators = cluster(groups, zones)
    (folder / "cluster.yaml").write_text(json.dumps(document, indent=1))
    pods = [pod(kind, number, i, zones) for i, (kind, number) in enumerate(groups)]
    (folder / "pods.json").write_text(json.dumps({"kind": "List", "apiVersion": "v1", "items": pods}))
    (folder / "status.json").write_text(json.dumps(status_json(groups, zones, coordinators)))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: BSD-2-Clause
"""Random clusters of FoundationDB and TiDB with a wish for each, as the files and words that hfdb and htidb take."""
import json

NOW = "2026-03-01T12:00:00Z"
LONG_AGO = "2026-02-20T12:00:00Z"
MODES = {"single": (1, 1), "double": (2, 3), "triple": (3, 5)}  # copies, coordinators


def fdb_groups(rng, zones, mode):
    counts = {"storage": rng.randint(MODES[mode][0], 9), "log": rng.randint(MODES[mode][1], 7), "stateless": rng.randint(1, 5)}
    groups = []
    for kind, count in counts.items():
        for number in range(1, count + 1):
            n = len(groups)
            groups.append({"processGroupID": f"{kind}-{number}", "processClass": kind, "addresses": [f"10.1.{n // 200}.{n % 200 + 1}"],
                           "faultDomain": f"zone-{(number + rng.randint(0, 1)) % zones}" if kind != "log" else f"zone-{number % zones}"})
    return counts, groups


def fdb_process(group, coordinators, rng):
    roles = [{"role": "coordinator"}] if group["processGroupID"] in coordinators else []
    if group["processClass"] == "storage":
        roles.append({"role": "storage", "stored_bytes": 4 * 10**9, "kvstore_used_bytes": 5 * 10**9})
    if group["processClass"] == "log":
        roles.append({"role": "log"})
    zone = group["faultDomain"]
    return {"address": group["addresses"][0] + ":4501", "class_type": group["processClass"], "excluded": "exclusionTimestamp" in group, "version": "7.3.69",
            "roles": roles, "uptime_seconds": 864000, "disk": {"free_bytes": 110 * 10**9, "total_bytes": 126 * 10**9},
            "locality": {"instance_id": group["processGroupID"], "process_id": group["processGroupID"] + "-1", "zoneid": zone, "machineid": zone}}


FDB_WISHES = [
    lambda rng, groups: [f"processCounts.storage={rng.randint(1, 10)}"],
    lambda rng, groups: [f"processCounts.log={rng.randint(2, 8)}"],
    lambda rng, groups: [f"processCounts.stateless={rng.randint(1, 6)}"],
    lambda rng, groups: ["storageServersPerPod=2"],
    lambda rng, groups: ["logServersPerPod=2"],
    lambda rng, groups: [f"processGroupsToRemove=[{','.join(rng.sample(sorted(groups), min(len(groups), rng.randint(1, 3))))}]"],
    lambda rng, groups: [f"processGroupsToRemoveWithoutExclusion=[{rng.choice(sorted(groups))}]"],
    lambda rng, groups: ["processes.general.customParameters=[knob_max_shard_bytes=1]"],
    lambda rng, groups: ["version=7.3.71"],
    lambda rng, groups: ["version=7.4.1"],
    lambda rng, groups: [f"databaseConfiguration.redundancy_mode={rng.choice(sorted(MODES))}"],
    lambda rng, groups: ["processes.general.podTemplate.spec.priorityClassName=high"],
    lambda rng, groups: [f"automationOptions.podUpdateStrategy={rng.choice(['Replace', 'Delete', 'ReplaceTransactionSystem'])}"],
    lambda rng, groups: [f"automationOptions.removalMode={rng.choice(['All', 'Zone', 'ProcessGroup'])}"],
    lambda rng, groups: [f"automationOptions.deletionMode={rng.choice(['All', 'Zone', 'ProcessGroup'])}"],
    lambda rng, groups: [f"automationOptions.maxConcurrentReplacements={rng.randint(1, 3)}"],
    lambda rng, groups: [f"automationOptions.waitBetweenRemovalsSeconds={rng.choice([0, 60, 300])}"],
    lambda rng, groups: ["processGroupIDPrefix=new"],
    lambda rng, groups: ["databaseConfiguration.storage_engine=ssd-rocksdb-v1"],
]


def fdb_case(rng, folder):
    """Words for `hfdb plan`."""
    mode = rng.choice(["single", "double", "double", "double", "triple"])
    zones = max(MODES[mode][1], rng.randint(3, 12))
    counts, groups = fdb_groups(rng, zones, mode)
    coordinators, seen = [], set()
    for group in groups:
        if group["processClass"] == "log" and group["faultDomain"] not in seen and len(coordinators) < MODES[mode][1]:
            coordinators.append(group["processGroupID"])
            seen.add(group["faultDomain"])
    for group in groups:
        fate = rng.random()
        if fate < 0.05:
            group["removalTimestamp"] = LONG_AGO
            if rng.random() < 0.5 and group["processGroupID"] not in coordinators:
                group["exclusionTimestamp"] = LONG_AGO
        elif fate < 0.08:
            group["processGroupConditions"] = [{"type": "MissingProcesses", "timestamp": rng.choice([1772366000, 1772300000])}]
    hosts = ",".join(group["addresses"][0] + ":4501" for group in groups if group["processGroupID"] in coordinators)
    cluster = {"apiVersion": "apps.foundationdb.org/v1beta2", "kind": "FoundationDBCluster",
               "metadata": {"name": "c", "namespace": "fdb", "generation": 2},
               "spec": {"version": "7.3.69", "processCounts": counts, "routing": {"useDNSInClusterFile": False},
                        "databaseConfiguration": {"redundancy_mode": mode, "logs": 3}},
               "status": {"configured": True, "runningVersion": "7.3.69", "connectionString": f"c:abc@{hosts}", "processGroups": groups,
                          "storageServersPerDisk": [1], "logServersPerDisk": [1], "imageTypes": ["unified"]}}
    (folder / "cluster.json").write_text(json.dumps(cluster))
    words = ["plan", "--current", "cluster.json", "--now", NOW]
    if rng.random() < 0.6:
        running = [group for group in groups if not group.get("processGroupConditions")]
        status = {"client": {"database_status": {"available": True, "healthy": True}, "coordinators": {"quorum_reachable": True, "coordinators": [
            {"address": group["addresses"][0] + ":4501", "reachable": True} for group in groups if group["processGroupID"] in coordinators]}},
            "cluster": {"processes": {str(n): fdb_process(group, coordinators, rng) for n, group in enumerate(running)},
                        "data": {"team_trackers": [{"primary": True, "state": {"healthy": True, "min_replicas_remaining": MODES[mode][0]}}]},
                        "recovery_state": {"active_generations": 1, "name": "fully_recovered", "seconds_since_last_recovered": 90000}}}
        (folder / "status.json").write_text(json.dumps(status))
        words += ["--status", "status.json"]
    names = {group["processGroupID"] for group in groups}
    if rng.random() < 0.15:
        words[0] = "drain"
        words += ["--zone", rng.choice(groups)["faultDomain"]]
    for wish in rng.sample(FDB_WISHES, rng.randint(1, 3)):
        for setting in wish(rng, names):
            words += ["--set", setting]
    return words


TIDB_WISHES = [
    lambda rng, set_: [f"{set_}.replicas={rng.randint(0, 7)}"],
    lambda rng, set_: [f"{set_}.replicas={rng.randint(3, 6)}"],
    lambda rng, set_: [f"{set_.split('.')[0]}.baseImage=pingcap/other"],
    lambda rng, set_: ["version=v8.1.1"],
    lambda rng, set_: [f"{set_.split('.')[0]}.requests={{cpu: '{rng.randint(2, 9)}'}}"],
    lambda rng, set_: ["tikv.replicas=4", "version=v8.1.1"],
    lambda rng, set_: ["tikv.extra=null"],
    lambda rng, set_: ["tidb.extra=[{name: ap, replicas: 2}]"],
    lambda rng, set_: ["tikv.extra=[{name: big, replicas: 3}]"],
    lambda rng, set_: ["pd.extra=[{name: b, replicas: 2}]"],
    lambda rng, set_: [],
]


def tidb_component(rng, kind):
    """(spec, pods) of a component with up to two sets."""
    replicas = {"pd": rng.choice([1, 3, 3, 5]), "tikv": rng.randint(3, 6), "tidb": rng.randint(1, 3)}[kind]
    spec = {"baseImage": f"pingcap/{kind}", "replicas": replicas, "requests": {"cpu": "1"}, "maxFailoverCount": 3}
    pods = [f"demo-{kind}-{n}" for n in range(replicas)]
    if rng.random() < (0.5 if kind == "tikv" else 0.2):
        more = rng.randint(1, 3)
        spec["extra"] = [{"name": "big" if kind == "tikv" else "b", "replicas": more}]
        pods += [f"demo-{kind}-{spec['extra'][0]['name']}-{n}" for n in range(more)]
    return spec, pods


def tidb_case(rng, folder):
    """Words for `htidb plan`."""
    parts = {kind: tidb_component(rng, kind) for kind in ("pd", "tikv", "tidb")}
    members, stores = {}, []
    for name in parts["pd"][1]:
        members[name] = {"name": name, "health": rng.random() > 0.06, "id": str(100 + len(members)), "lastTransitionTime": LONG_AGO}
    for name in parts["tikv"][1]:
        state = rng.choice(["Up"] * 25 + ["Down", "Offline", "Disconnected"])
        stores.append({"store": {"id": 10 + len(stores), "address": f"{name}.demo-tikv-peer.db.svc:20160", "state_name": state},
                       "status": {"capacity": "200GiB", "available": "150GiB", "leader_count": rng.choice([0, 30, 400]), "region_count": 90,
                                  "region_size": 9000, "last_heartbeat_ts": LONG_AGO if state == "Down" else NOW}})
    cluster = {"apiVersion": "pingcap.com/v1alpha1", "kind": "TidbCluster", "metadata": {"name": "demo", "namespace": "db"},
               "spec": {"version": "v8.1.0", **{kind: spec for kind, (spec, _) in parts.items()}},
               "status": {"pd": {"phase": "Normal", "synced": True, "members": members, "leader": {"name": rng.choice([name for name in sorted(members) if members[name]["health"]] or sorted(members)), "health": True}}}}
    (folder / "cluster.json").write_text(json.dumps(cluster))
    words = ["plan", "--current", "cluster.json", "--now", NOW]
    if rng.random() < 0.8:
        (folder / "pd.json").write_text(json.dumps({"count": len(stores), "stores": stores}))
        words += ["--pd", "pd.json"]
    for wish in rng.sample(TIDB_WISHES, rng.randint(1, 2)):
        kind = rng.choice(["pd", "tikv", "tikv", "tidb"])
        for setting in wish(rng, kind):
            words += ["--set", setting]
    words += rng.choice([[], [], [], ["--profile", "v1.0"], ["--allow-unsafe"], ["--scale-order", "set-order"], ["--create-mode", "ramp"]])
    return words

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes a TiDB cluster of SETS TiKV sets with PODS stores in all, and a wished side that upgrades all of it, raises half of the sets and
lowers the rest: DIR/current.yaml, DIR/desired.yaml, DIR/store.json; the same as groups of operator v2, with their pods, in DIR/groups-*.
Usage: make_tidb.py DIR [PODS=1000] [SETS=20]"""
import argparse
import json
import pathlib


def values(pods, version):
    extra = "".join(f"  - name: s{i}\n    replicas: {n}\n" for i, n in enumerate(pods[1:], 1))
    return (f"clusterName: big\npd:\n  replicas: 5\n  image: pingcap/pd:{version}\n"
            f"tikv:\n  replicas: {pods[0]}\n  image: pingcap/tikv:{version}\n  extra:\n{extra}"
            f"tidb:\n  replicas: 20\n  image: pingcap/tidb:{version}\n")


def groups(pods, version):
    """The same for operator v2."""
    def group(kind, name, count, more=""):
        return (f"---\nkind: {kind}\nmetadata: {{name: {name}}}\nspec:\n  cluster: {{name: big}}\n  replicas: {count}\n"
                f"  template: {{spec: {{version: {version}, resources: {{cpu: 4, memory: 8Gi}}{more}}}}}\n")
    data = ", volumes: [{name: data, storage: 100Gi, storageClassName: local}]"
    return ("kind: Cluster\nmetadata: {name: big}\nspec: {}\n" + group("PDGroup", "pd", 5, data) +
            "".join(group("TiKVGroup", f"s{i}", n, data) for i, n in enumerate(pods)) + group("TiDBGroup", "db", 20))


def main():
    parser = argparse.ArgumentParser(description="Writes the values, groups, pods and stores of a big TiDB cluster.")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("pods", type=int, nargs="?", default=1000, help="TiKV pods (default: 1000)")
    parser.add_argument("sets", type=int, nargs="?", default=20, help="sets of TiKV pods (default: 20)")
    options = parser.parse_args()
    folder, pods, sets = options.folder, options.pods, options.sets
    folder.mkdir(parents=True, exist_ok=True)
    now = [pods // sets] * sets
    wished = [n + 5 if i % 2 else max(0, n - 5) for i, n in enumerate(now)]
    (folder / "current.yaml").write_text(values(now, "v7.5.1"))
    (folder / "desired.yaml").write_text(values(wished, "v7.5.2"))
    (folder / "groups-current.yaml").write_text(groups(now, "v7.5.1"))
    (folder / "groups-desired.yaml").write_text(groups(wished, "v7.5.2"))
    instances = [f"s{i}-tikv-{o:06}" for i, n in enumerate(now) for o in range(n)]
    pods = [{"kind": "Pod", "metadata": {"name": name}, "spec": {"nodeName": f"n{i:05}"}, "status": {"phase": "Running"}}
            for i, name in enumerate(instances)]
    (folder / "groups-pods.json").write_text(json.dumps({"kind": "List", "items": pods}))
    names = [f"big-tikv-{o}" if i == 0 else f"big-tikv-s{i}-{o}" for i, n in enumerate(now) for o in range(n)]
    stores = [{"store": {"id": i + 1, "address": f"{name}.big-tikv-peer:20160", "state_name": "Up"},
               "status": {"capacity": "1TiB", "available": "600GiB", "used_size": "300GiB", "leader_count": 500, "region_count": 1500}}
              for i, name in enumerate(names)]
    (folder / "store.json").write_text(json.dumps({"count": len(stores), "stores": stores}))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: BSD-2-Clause
"""The same as growing.py for documents, and for the objects of operators in them."""
import json
import sys

from growing import ROOT, case, grows

sys.path.insert(0, str(ROOT / "tests" / "bench"))
import make_fdb  # noqa: E402

HEAD = "apiVersion: apps.foundationdb.org/v1beta2\nkind: FoundationDBCluster\nmetadata: {name: c, namespace: d}\nspec:\n  version: 7.3.69\n"


def groups_of(spec, status=""):
    return case("hfdb groups --current @", f=HEAD + spec + (f"status:\n{status}" if status else ""))


@grows("yaml: depth", 50000)
def _(n):
    return groups_of("  a: " + "[" * n)


@grows("yaml: closed depth", 50000)
def _(n):
    return groups_of("  a: " + "[" * n + "]" * n)


@grows("yaml: depth by indentation", 300)
def _(n):
    return groups_of("".join(" " * (2 + i) + "a:\n" for i in range(n)))


@grows("yaml: aliases of a list", 5000)
def _(n):
    return groups_of("  a: &a [1, 2]\n  b: [" + "*a, " * n + "*a]\n")


@grows("yaml: aliases of aliases", 2000)
def _(n):
    return groups_of("  a0: &a0 [1]\n" + "".join(f"  a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, n)))


@grows("yaml: merge keys", 100)
def _(n):
    keys = ", ".join(f"k{i}: 0" for i in range(n))
    return groups_of(f"  a: &a {{{keys}}}\n  b: [" + ", ".join(["{<<: *a}"] * n) + "]\n")


@grows("yaml: a list of merges", 5000)
def _(n):
    return groups_of("  a: &a {x: 0}\n  b: {<<: [" + ", ".join(["*a"] * n) + "]}\n")


@grows("yaml: keys", 10000)
def _(n):
    return groups_of("  a: {" + ", ".join(f"k{i}: 0" for i in range(n)) + "}\n")


@grows("yaml: unknown keys of the spec", 5000)
def _(n):
    return groups_of("".join(f"  k{i}: 0\n" for i in range(n)))


@grows("yaml: one key again and again", 10000)
def _(n):
    return groups_of("  a: {" + "k: 0, " * n + "k: 0}\n")


@grows("yaml: documents", 3000)
def _(n):
    return groups_of("  a: 0\n" + "---\nkind: Pod\nmetadata: {name: p}\n" * n)


@grows("yaml: anchors", 10000)
def _(n):
    return groups_of("  a: [" + ", ".join(f"&x{i} 0" for i in range(n)) + "]\n")


@grows("yaml: tabs", 50000)
def _(n):
    return groups_of("  a: 0\n" + "\t" * n + "b: 1\n")


@grows("yaml: comments", 50000)
def _(n):
    return groups_of("  a: 0\n" + "#\n" * n)


@grows("yaml: a text of many lines", 30000)
def _(n):
    return groups_of("  a: |\n" + "    x\n" * n)


@grows("yaml: a quoted text of escapes", 50000)
def _(n):
    return groups_of('  a: "' + "\\x41" * n + '"\n')


@grows("yaml: quoted texts", 10000)
def _(n):
    return groups_of("  a: [" + "'', " * n + "'']\n")


@grows("yaml: quotes in quotes", 50000)
def _(n):
    return groups_of("  a: '" + "''" * n + "'\n")


@grows("yaml: a tag", 50000)
def _(n):
    return groups_of("  a: !" + "x" * n + " 0\n")


@grows("yaml: digits", 50000)
def _(n):
    return groups_of("  processCounts: {storage: " + "9" * n + "}\n")


@grows("yaml: what is no object", 20000)
def _(n):
    return case("hfdb groups --current @cluster --kube @kube", cluster=HEAD, kube=json.dumps({"kind": "List", "items": [0] * n}))


@grows("yaml: a path", 5000)
def _(n):
    files, words = groups_of("")
    words[1] = "plan"
    return files, [*words, "--set", "a." * n + "b=1"]


# FoundationDB


def fdb(n, command, change=None):
    groups = make_fdb.members(n)
    cluster, coordinators = make_fdb.cluster(groups, 50)
    pods = [make_fdb.pod(kind, number, i, 50) for i, (kind, number) in enumerate(groups)]
    status = make_fdb.status_json(groups, 50, coordinators)
    if change:
        change(cluster, pods, status)
    return case(command, cluster=json.dumps(cluster), pods=json.dumps({"kind": "List", "items": pods}), status=json.dumps(status))


ALL = "--current @cluster --kube @pods --status @status"


@grows("fdb: groups", 250)
def _(n):
    return fdb(n, f"hfdb groups {ALL}")


@grows("fdb: analyze", 250)
def _(n):
    return fdb(n, f"hfdb analyze {ALL}")


@grows("fdb: pods of one name", 250)
def _(n):
    def change(_, pods, __):
        for pod in pods:
            pod["metadata"]["name"] = "same"
    return fdb(n, f"hfdb groups {ALL}", change)


@grows("fdb: groups of one ID", 500)
def _(n):
    def change(cluster, _, __):
        for group in cluster["status"]["processGroups"]:
            group["processGroupID"] = "storage-1"
    return fdb(n, f"hfdb groups {ALL}", change)


@grows("fdb: errors", 500)
def _(n):
    def change(cluster, _, __):
        for group in cluster["status"]["processGroups"]:
            group["addresses"] = {"x": 0}
    return fdb(n, f"hfdb groups {ALL}", change)


@grows("fdb: conditions of a group", 5000)
def _(n):
    def change(cluster, _, __):
        cluster["status"]["processGroups"][0]["processGroupConditions"] = [{"type": "MissingProcesses", "timestamp": 1}] * n
    return fdb(10, f"hfdb groups {ALL}", change)


@grows("fdb: a connection string", 5000)
def _(n):
    def change(cluster, _, __):
        cluster["status"]["connectionString"] = "a:b@" + ",".join(f"10.0.{i // 250}.{i % 250}:4501" for i in range(n))
    return fdb(10, f"hfdb groups {ALL}", change)


@grows("fdb: groups to remove", 2000)
def _(n):
    def change(cluster, _, __):
        cluster["spec"]["processGroupsToRemove"] = [f"storage-{i}" for i in range(n)]
    return fdb(10, f"hfdb groups {ALL}", change)


@grows("fdb: addresses of a group", 5000)
def _(n):
    def change(cluster, _, __):
        cluster["status"]["processGroups"][0]["addresses"] = [f"10.0.{i // 250}.{i % 250}" for i in range(n)]
    return fdb(10, f"hfdb groups {ALL}", change)


@grows("fdb: roles of a process", 5000)
def _(n):
    def change(_, __, status):
        next(iter(status["cluster"]["processes"].values()))["roles"] = [{"role": "storage"}] * n
    return fdb(10, f"hfdb groups {ALL}", change)


# TiDB


def values(extra="", pd="3", tikv="3", tidb="2"):
    return ("clusterName: demo\n" + "".join(f"{name}: {{replicas: {count}, image: pingcap/{name}:v7.5.0{more}}}\n" for name, count, more in
            [("pd", pd, ""), ("tikv", tikv, extra), ("tidb", tidb, "")]))


@grows("tidb: sets", 200)
def _(n):
    return case("htidb show --current @", f=values(", extra: [" + ", ".join("{name: s%d, replicas: 1}" % i for i in range(n)) + "]"))


@grows("tidb: sets of one name", 1000)
def _(n):
    return case("htidb show --current @", f=values(", extra: [" + ", ".join(["{name: s, replicas: 1}"] * n) + "]"))


@grows("tidb: errors", 2000)
def _(n):
    return case("htidb show --current @", f=values(", extra: [" + ", ".join(["{name: '', replicas: x}"] * n) + "]"))


@grows("tidb: unknown keys", 1000)  # sets are looked for one by one: clusters have few
def _(n):
    return case("htidb show --current @", f=values(", extra: [" + ", ".join(["{name: s%d, replicas: 1, replica: 1}" % i for i in range(n)]) + "]"))


@grows("tidb: delete slots", 2000)
def _(n):
    slots = json.dumps(list(range(n)))
    return case("htidb show --current @", f="apiVersion: pingcap.com/v1alpha1\nkind: TidbCluster\nmetadata:\n  name: demo\n  annotations:\n"
                f"    tikv.tidb.pingcap.com/delete-slots: '{slots}'\nspec:\n  version: v7.5.0\n  pd: {{replicas: 3, baseImage: pingcap/pd}}\n"
                "  tikv: {replicas: 3, baseImage: pingcap/tikv}\n  tidb: {replicas: 2, baseImage: pingcap/tidb}\n")


@grows("tidb: stores", 1000)
def _(n):
    stores = [{"store": {"id": i + 1, "address": f"demo-tikv-{i}.demo-tikv-peer:20160", "state_name": "Up"}, "status": {}} for i in range(n)]
    return case("htidb show --current @values --pd @pd", values=values(tikv="3"), pd=json.dumps({"count": n, "stores": stores}))


@grows("tidb: nodes", 500)
def _(n):
    nodes = "nodes:\n" + "".join(f"- {{name: n{i}, zone: z, allocatable: {{cpu: '16', memory: 60Gi, pods: 110}}}}\n" for i in range(n))
    return case("htidb plan --current @values --set tikv.replicas=4 --nodes @nodes", values=values(), nodes=nodes)


@grows("tidb: pods", 500)
def _(n):
    pods = [{"kind": "Pod", "metadata": {"name": f"demo-tikv-{i}"}, "spec": {"nodeName": "n"}, "status": {"phase": "Running"}} for i in range(n)]
    return case("htidb show --current @values --kube @pods", values=values(), pods=json.dumps({"kind": "List", "items": pods}))

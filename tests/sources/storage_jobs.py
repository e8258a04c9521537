#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""hscan --storage against masters with LVM, file and external storage: a LUXI socket and a remote API that run query jobs as a stock Ganeti
does (the shapes are those of its job results). The snapshots of both must be the same and hold the units and disks that were told.

Usage: storage_jobs.py --bin DIR      Exit status: 0 all well, 1 not.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import servers  # noqa: E402

SPEC = dict(zip(["memory-size", "cpu-count", "disk-size", "disk-count", "nic-count", "spindle-use"], [128, 1, 1024, 1, 1, 1]))
MOST = dict(zip(SPEC, [32768, 8, 1048576, 16, 8, 12]))
POLICY = {"minmax": [{"min": SPEC, "max": MOST}], "std": SPEC, "disk-templates": ["drbd", "plain", "file", "ext", "rbd"], "vcpu-ratio": 4.0,
          "spindle-ratio": 32.0}
INFO = {"name": "c", "master": "n1", "tags": [], "ipolicy": POLICY, "default_hypervisor": "xen-pvm",
        "enabled_disk_templates": ["drbd", "plain", "file", "ext", "rbd", "diskless"]}
GROUP = {"name": "all", "uuid": "uuid-a", "alloc_policy": "preferred", "ipolicy": POLICY, "tags": []}


def node(name, offline=False):
    live = {"mtotal": 16384, "mnode": 1024, "mfree": 8192, "dtotal": 204800, "dfree": 100000, "ctotal": 8, "cnos": 1}
    return {"name": name, "offline": offline, "drained": False, "vm_capable": True, "group.uuid": "uuid-a", "tags": [], "sptotal": None,
            "spfree": None, "ndparams": {"exclusive_storage": False, "spindle_count": 1, "cpu_speed": 1.0}, **({} if offline else live)}


NODES = [node("n1"), node("n2"), node("n3", offline=True)]
STORAGE = {"lvm-vg": {"n1": [["ssd", 102400, 60000], ["hdd", 204800, 150000]], "n2": [["hdd", 204800, 90000], ["ssd", 102400, 30000]]},
           "file": {"n1": [["/srv/images", 51200, 40000]], "n2": [["/srv/images", 51200, 45000]]}}


def instance(name, template, sizes, secondaries=(), usage=None):
    backend = {"vcpus": 1, "auto_balance": True, "spindle_use": 1, "maxmem": 512, "minmem": 512, "memory": 512}
    return {"name": name, "disk_usage": sum(sizes) if usage is None else usage, "disk.sizes": sizes, "disk.spindles": [None] * len(sizes),
            "oper_ram": 512, "pnode": "n1", "snodes": list(secondaries), "status": "running", "tags": [], "disk_template": template,
            "forthcoming": False, "beparams": backend}


INSTANCES = [instance("db", "drbd", [1024, 2048], ["n2"], 3328), instance("web", "plain", [4096]), instance("images", "file", [512]),
             instance("san", "ext", [8192]), instance("pool", "rbd", [2048]), instance("thin", "diskless", [])]


def lv(group, name):
    return {"dev_type": "plain", "logical_id": [group, name], "children": []}


def drbd(data, metadata):
    return {"dev_type": "drbd", "logical_id": ["n1", "n2", 11000, 0, 0, "secret"], "children": [lv(data, "d"), lv(metadata, "m")]}


DISKS = {"db": [drbd("ssd", "ssd"), drbd("hdd", "ssd")], "web": [lv("hdd", "w")],
         "images": [{"dev_type": "file", "logical_id": ["loop", "/srv/images/images/disk0"], "children": []}],
         "san": [{"dev_type": "ext", "logical_id": ["netapp", "vol1"], "children": []}],
         "pool": [{"dev_type": "rbd", "logical_id": ["rbd", "image"], "children": []}], "thin": []}

WANTED_NODES = ["90000,204800,drbd8,hdd;30000,102400,drbd8,ssd;45000,51200,file,/srv/images;90000,204800,lvm-vg,hdd;30000,102400,lvm-vg,ssd",
                "150000,204800,drbd8,hdd;60000,102400,drbd8,ssd;40000,51200,file,/srv/images;150000,204800,lvm-vg,hdd;60000,102400,lvm-vg,ssd"]
WANTED_DISKS = {"db": "1152,drbd8,ssd;2048,drbd8,hdd;128,drbd8,ssd", "web": "4096,lvm-vg,hdd", "images": "512,file,/srv/images",
                "san": "8192,ext,netapp"}
WARNING = "the storage units of 1 instance cannot be told: pool\n"


class Master:
    """Jobs end at the second look."""

    def __init__(self, is_job_good=True, ends=True):
        self.jobs, self.is_job_good, self.ends, self.submitted = {}, is_job_good, ends, []

    def submit(self, what, result):
        self.submitted.append(what)
        self.jobs[len(self.jobs) + 1] = [0, result]
        return len(self.jobs)

    def look(self, number):
        job = self.jobs[number]
        job[0] += 1
        if job[0] < 2 or not self.ends:
            return "running", [None]
        return ("success", [job[1]]) if self.is_job_good else ("error", [["OpPrereqError", ["no such storage", "wrong_input"]]])

    def details(self, names):
        return {name: {"name": name, "disks": DISKS[name]} for name in names}

    def luxi(self, message):
        return servers.encoded({"success": True, "result": getattr(self, "on_" + json.loads(message)["method"])(*json.loads(message)["args"])})

    def on_Query(self, what, fields, _):
        flat = {"node": [{**n, **{f"ndp/{k}": v for k, v in n["ndparams"].items()}} for n in NODES],
                "instance": [{**i, **{f"be/{k}": v for k, v in i["beparams"].items()}} for i in INSTANCES], "group": [GROUP]}[what]
        return {"fields": [], "data": [[[0, one[f]] if one.get(f) is not None else [1 if f == "storage" else 2, None] for f in fields]
                                       for one in flat]}

    @staticmethod
    def on_QueryClusterInfo():
        return INFO

    def on_SubmitJob(self, operations):
        [operation] = operations
        if operation["OP_ID"] == "OP_INSTANCE_QUERY_DATA":
            assert operation["static"] is True and operation["use_locking"] is False
            return self.submit("instances", self.details(DISKS))
        assert operation["OP_ID"] == "OP_NODE_QUERY_STORAGE" and operation["output_fields"] == ["node", "name", "size", "free"]
        places = STORAGE[operation["storage_type"]]
        return self.submit(operation["storage_type"], [[n, *place] for n in operation["nodes"] for place in places[n]])

    def on_QueryJobs(self, numbers, fields):
        assert fields == ["status", "opresult"]
        return [list(self.look(number)) for number in numbers]

    def web(self, handler):
        if handler.headers.get("Authorization") != "Basic YWRtaW46c2VjcmV0":  # admin:secret
            return 401, {}, b"{}"
        body = {"/2/groups?bulk=1": [GROUP], "/2/nodes?bulk=1": NODES, "/2/instances?bulk=1": INSTANCES, "/2/info": INFO}.get(handler.path)
        if body is None:
            body = self.web_job(handler.path)
        return 200, {}, json.dumps(body).encode()

    def web_job(self, path):
        if match := re.fullmatch(r"/2/nodes/(\w+)/storage\?storage_type=([\w-]+)&output_fields=name,size,free", path):
            return self.submit(match[2], STORAGE[match[2]][match[1]])
        if match := re.fullmatch(r"/2/instances/(\w+)/info\?static=1", path):
            return self.submit("instances", self.details([match[1]]))
        status, results = self.look(int(re.fullmatch(r"/2/jobs/(\d+)", path)[1]))
        return {"id": 1, "status": status, "opresult": results}


class Checks:
    def __init__(self, folder, work):
        self.folder, self.work, self.problems = folder, work, 0

    def check(self, holds, what, shown=""):
        print(("ok      " if holds else "FAILED  ") + what + ("" if holds else f"\n  {shown}"), flush=True)
        self.problems += not holds

    def run(self, tool, *words):
        return subprocess.run([self.folder / tool, *words], cwd=self.work, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              timeout=60, check=False)

    def by_luxi(self, master, *options):
        path = self.work / "luxi.sock"
        with servers.luxi(path, master.luxi):
            done = self.run("hscan", f"-L{path}", *options)
        path.unlink()
        return done


def check_snapshot(checks, text):
    _, nodes, instances, *_ = text.split("\n\n")
    columns = [line.split("|") for line in nodes.splitlines()]
    checks.check([c[15] for c in columns[:2]] == WANTED_NODES[::-1], "units of the nodes", [c[15:] for c in columns])
    checks.check(len(columns[2]) == 15, "nothing is told of the offline node")
    told = {line.split("|")[0]: line.split("|")[13:] for line in instances.splitlines()}
    checks.check({name: disks[0] for name, disks in told.items() if disks} == WANTED_DISKS, "units of the disks", told)


def run(checks):
    plain = Master()
    done = checks.by_luxi(plain)
    checks.check(done.returncode == 0 and not plain.submitted, "without --storage nothing is submitted", done.stderr)

    master = Master()
    done = checks.by_luxi(master, "--storage")
    checks.check(done.returncode == 0, "hscan -L --storage", done.stdout + done.stderr)
    checks.check(f"Warning: LOCAL: {WARNING}" in done.stderr, "a disk without a unit is told", done.stderr)
    checks.check(master.submitted == ["file", "lvm-vg", "instances"], "one job for each kind of storage, one for all instances",
                 master.submitted)
    text = (checks.work / "LOCAL.data").read_text()
    check_snapshot(checks, text)

    with servers.web(Master().web) as address:
        url = f"http://admin:secret@{address}"
        done = checks.run("hscan", "--storage", url)
        checks.check(done.returncode == 0, "hscan --storage by the remote API", done.stdout + done.stderr)
        checks.check((checks.work / f"http:__admin@{address}.data").read_text() == text, "the same snapshot")
        done = checks.run("hscan", "--storage", f"http://{address}")
        checks.check(done.returncode == 2 and "CurlHttpReturnedError" in done.stdout, "without a user", done.stdout)

    done = checks.run("hinfo", "-t", "LOCAL.data")
    checks.check("drbd8/ssd" in done.stdout and done.returncode == 0, "hinfo reads it, with units", done.stdout + done.stderr)

    done = checks.by_luxi(Master(is_job_good=False), "--storage")
    checks.check(done.returncode == 2 and 'job 1 ended as error: [["OpPrereqError", ["no such storage", "wrong_input"]]]' in done.stdout,
                 "a job that fails", done.stdout)
    done = checks.by_luxi(Master(ends=False), "--storage", "--timeout=1")
    checks.check(done.returncode == 2 and "job 1 has not ended within 1 s" in done.stdout, "a job that does not end", done.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="storage-") as folder:
        checks = Checks(args.bin.resolve(), pathlib.Path(folder))
        run(checks)
    print(f"{checks.problems} problems")
    return 1 if checks.problems else 0


if __name__ == "__main__":
    sys.exit(main())

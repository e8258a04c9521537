#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Small inputs that ask for much: huge counts and numbers, aliases of aliases, depth. Each command ends by itself within MOST_SECONDS of
processor time and MOST_MIB of memory, with the exit status and the words that stand here, and no internal error.

Usage: bombs.py --bin DIR [NAME...]
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import growing
from growing_operators import HEAD, values

MOST_SECONDS = 20
MOST_MIB = 300
BIG = 2000000000
HUGE = 10 ** 18
BOMBS = {}

CLUSTER = growing.text(None, [growing.instance(i, primary=i % 4, secondary=(i + 1) % 4) for i in range(8)])


def bomb(name, command, status, words, limits=(MOST_SECONDS, MOST_MIB), **files):
    """`words` are in the output; a "@NAME" in the command is a file."""
    BOMBS[name] = command.split(), status, words, limits, files


def fdb(spec, command="hfdb plan --current @f"):
    return command, HEAD + spec


for count in (100_000_000, 100_001, 2 ** 63 - 1):
    bomb(f"simulate {count} nodes", f"hspace --simulate p,{count},1t,64g,16", 1, "more than 100000 nodes are not simulated")
bomb("simulate two groups", "hspace --simulate p,60000,1t,64g,16 --simulate p,60000,1t,64g,16", 1, "more than 100000 nodes are not simulated")
bomb("simulate node count beyond 64 bits", "hspace --simulate p,99999999999999999999,1t,64g,16", 1, "")
bomb("an instance without a size", "hspace --simulate p,2,1t,64g,16 --standard-alloc 0,0,0", 0, "")
bomb("place without end", f"hspace --simulate p,2,1t,64g,16 -l {HUGE}", 0, "")
bomb("more nodes", f"hbal -t @f --add-node=u:{BIG}", 1, "", f=CLUSTER)
bomb("a search of many threads", "hbal -t @f --search=1 --threads=1000000", 2, "", f=CLUSTER)
bomb("a search of many steps", f"hbal -t @f --search=1 --max-steps={HUGE}", 0, "", f=CLUSTER)
bomb("many transfers", f"hbal -t @f --rate=100 --parallel={HUGE} --json", 2, "", f=CLUSTER)
bomb("leave", f"hcheck -t @f --what-if leave={HUGE}", 2, "", f=CLUSTER)
bomb("a location of nothing", "hcheck -t @f --what-if location=" + "x" * 100000, 1, "", f=CLUSTER)
bomb("a node of negative size", "hbal -t @f -l 3", 0, "", f=CLUSTER.replace("65536", "-9223372036854775808"))
bomb("a node of every size", "hbal -t @f -l 3 --json", 0, "", f=CLUSTER.replace("65536", "1e308"))
bomb("instances of every size", "hbal -t @f -l 3 --json", 0, "", f=CLUSTER.replace("|1024|", f"|{2**63 - 1}|"))
bomb("instances of many CPUs", "hcheck -t @f", 0, "", f=CLUSTER.replace("|5000|1|", f"|5000|{2**62}|"))
bomb("an exponent", "hbal -t @f -l 3", 0, "", f=CLUSTER.replace("65536", "1e" + "9" * 30))
bomb("a rule of stars", "hbal -t @f --rules @r", 0, "", f=CLUSTER, r="rules: [{keep-instances: ['" + "*a" * 5000 + "']}]\n")
bomb("a pin of stars", "hbal -t @f --rules @r", 0, "", f=CLUSTER, r="rules: [{apart: ['" + "*" * 5000 + "', 'i*'], price: 1e308}]\n")
bomb("a rules file of aliases", "hbal -t @f --rules @r", 1, "aliases", f=CLUSTER,
     r="a0: &a0 [1,1,1,1,1,1,1,1,1]\n" + "".join(f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 12)))

SMALL = json.loads((growing.ROOT / "tests" / "golden" / "hail" / "explain-several-moves" / "request.json").read_text())


def request(**changes):
    return json.dumps(SMALL | {"request": SMALL["request"] | changes})


bomb("a request of many nodes", "hail @f", 0, '"success":false', f=request(required_nodes=BIG))
bomb("a request of much memory", "hail @f", 0, '"success":false', f=request(memory=2 ** 63 - 1))
bomb("a request of many CPUs", "hail @f", 0, '"success":false', f=request(vcpus=2 ** 63 - 1))
bomb("an exponent in a request", "hail @f", 0, "", f=request(memory=0).replace('"memory": 0', '"memory": 1e999999999'))
bomb("a fraction in a request", "hail @f", 0, "", f=request(memory=0).replace('"memory": 0', '"memory": 1e-999999999'))
bomb("a small exponent in the load", "hail @f", 0, "", f=request(memory=0).replace('"vcpu-ratio": 4.0', '"vcpu-ratio": 1e-999999999'))
bomb("brackets", "hail @f", 1, "", f="[" * 3_000_000)
bomb("braces", "hail @f", 1, "", f='{"a":' * 1_100_000)
bomb("a plan of brackets", "hplan show @f", 1, "", f="[" * 3_000_000)
bomb("documents of brackets", "hfdb groups --current @f", 1, "", f="[" * 3_000_000)
bomb("documents of indentation", "hfdb groups --current @f", 1, "", f="".join(" " * i + "a:\n" for i in range(3000)))
bomb("documents of dashes", "hfdb groups --current @f", 1, "", f="- " * 1_000_000)

PLAN = json.loads((growing.ROOT / "data" / "plans" / "moves.json").read_text())


def plan(change):
    document = json.loads(json.dumps(PLAN))
    change(document)
    return json.dumps(document)


bomb("a plan of many phases", "hplan show --html @f", 0, "", f=plan(lambda p: p["steps"][-1].update(phase=BIG)))
bomb("a plan that takes for ever", "hplan show --html @f", 0, "", f=plan(lambda p: p["steps"][0].update(cost={"bytes": 2**63 - 1, "seconds_at_least": 2**63 - 1})))
bomb("a plan that waits for a far step", "hplan show @f", 1, "", f=plan(lambda p: p["steps"][0].update(waits_for=[{"step": BIG}])))
bomb("a part of a plan", f"hplan show @f --steps 1-{BIG}", 2, "", f=plan(lambda p: None))
bomb("protection without end", "hplan show --html @f", 1, "", f=plan(lambda p: p["steps"][0].update(
    unprotected=[{"what": "x", "name": "y", "until_step": BIG}])))

for field, value in [("processCounts: {storage: %d}" % BIG, ""), ("processCounts: {storage: -%d}" % HUGE, ""),
                     ("storageServersPerPod: %d" % BIG, ""), ("logServersPerPod: %d" % BIG, ""),
                     ("databaseConfiguration: {logs: %d}" % BIG, ""), ("databaseConfiguration: {usable_regions: %d}" % BIG, ""),
                     ("databaseConfiguration: {proxies: %d, resolvers: %d}" % (BIG, BIG), ""),
                     ("processCounts: {storage: 1e9}", ""), ("processCounts: {stateless: %d, log: %d}" % (HUGE, HUGE), "")]:
    command, text = fdb(f"  {field}\n")
    bomb(f"fdb {field[:40]}", command, 1, "", f=text)
bomb("fdb: many processes", "hfdb plan --current @f", 0, "", limits=(60, 900),  # 90,000 of them are planned
     f=HEAD + "  processCounts: {%s}\n" % ", ".join(
    f"{name}: 10000" for name in ("storage", "log", "stateless", "proxy", "grv_proxy", "commit_proxy", "resolution", "test", "master")))
bomb("fdb: spread over many zones", f"hfdb spread --domains={BIG} --current @f", 2, "expected a number from 0 to 1000000", f=HEAD)
bomb("fdb: laughter", "hfdb groups --current @f", 1, "", f=HEAD + "  a0: &a0 [1,1,1,1,1,1,1,1,1]\n" + "".join(
    f"  a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 12)))
bomb("fdb: merged laughter", "hfdb groups --current @f", 1, "", f=HEAD + "  a0: &a0 {a: 1, b: 2}\n" + "".join(
    f"  a{i}: &a{i} {{<<: [{','.join([f'*a{i - 1}'] * 9)}], c{i}: {{x: *a{i - 1}, y: *a{i - 1}}}}}\n" for i in range(1, 40)))
bomb("fdb: a long wait", f"hfdb plan --current @f --now {HUGE}", 2, "RFC 3339", f=HEAD)
bomb("fdb: a quantity", "hfdb plan --current @f --set processes.general.volumeClaimTemplate.spec.resources.requests.storage=1e999999999", 1, "",
     f=HEAD)

bomb("tidb: many pods", "htidb plan --current @f --set tikv.replicas=2000000000", 1, "10000", f=values())
bomb("tidb: many pods now", "htidb show --current @f", 1, "10000", f=values(tikv="2000000000"))
bomb("tidb: many pods in all", "htidb show --current @f", 1, "20000",
     f=values(", extra: [" + ", ".join("{name: s%d, replicas: 10000}" % i for i in range(8)) + "]"))
bomb("tidb: a far slot", "htidb plan --current @f --set tikv.replicas=4", 0, "scale-out pod demo-tikv-3",
     f="apiVersion: pingcap.com/v1alpha1\nkind: TidbCluster\nmetadata:\n  name: demo\n  annotations:\n    tikv.tidb.pingcap.com/delete-slots: "
       "'[2000000000]'\nspec:\n  version: v7.5.0\n  pd: {replicas: 3, baseImage: pingcap/pd}\n  tikv: {replicas: 3, baseImage: pingcap/tikv}\n"
       "  tidb: {replicas: 2, baseImage: pingcap/tidb}\n")
bomb("tidb: room without end", "htidb plan --current @f --set tikv.replicas=9 --nodes @n", 1, "cannot be read", f=values(),
     n="nodes: [{name: n1, zone: z, allocatable: {cpu: 1e60, memory: 1e60, pods: 9223372036854775807}}]\n")
bomb("tidb: a long wait", "htidb plan --current @f --pd-failover-period 99999999999999h", 2, "not a duration", f=values())
bomb("tidb: a far time", f"htidb plan --current @f --now {HUGE}", 2, "RFC 3339", f=values())


def guard():
    resource.setrlimit(resource.RLIMIT_CPU, (300, 300))


def complaint(binaries, name):
    command, status, words, limits, files = BOMBS[name]
    with tempfile.TemporaryDirectory() as folder:
        for file, text in files.items():
            pathlib.Path(folder, file).write_text(text)
        command = [str(binaries / command[0]), *(word.replace("@", folder + "/") if word.startswith("@") else word for word in command[1:])]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=guard) as process:
            output = process.stdout.read().decode(errors="replace")
            _, ended, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(ended)
    seconds, mib = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
    if seconds > limits[0] or mib > limits[1]:
        return f"{seconds:.1f} s, {mib:.0f} MiB"
    if process.returncode != status or words not in output or "internal error" in output:
        return f"status {process.returncode}, expected {status} and {words!r}: {output[:300]}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("name", nargs="*", help="all of them otherwise")
    options = parser.parse_args()
    faults = 0
    for name in options.name or BOMBS:
        fault = complaint(options.bin.resolve(), name)
        if fault is not None:
            faults += 1
            print(f"{name}: {fault}", file=sys.stderr, flush=True)
    print(f"{len(options.name or BOMBS)} inputs, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

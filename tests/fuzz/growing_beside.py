# SPDX-License-Identifier: BSD-2-Clause
"""The same as growing.py for what stands beside a cluster: storage units, words of the command line, rules, forecasts, requests, answers of
masters, pages and figures.
"""
import json

from growing import BALANCE, ROOT, READ, case, grows, instance, node, plan, request, rules_case, text
from growing_operators import groups_of, values


def on_two(n, **words):
    return [instance(i, primary=i % 4, secondary=(i + 1) % 4, **words) for i in range(n)]


# Storage units.


@grows("units: one for each node", 250)  # figures of the score stand for each unit on each node
def _(n):
    return case(READ, f=text([node(i, more=f"|500,1000,lvm-vg,k{i}") for i in range(n)]))


@grows("units: two on each pair of nodes", 500)
def _(n):
    return case(BALANCE, f=text([node(i, more=f"|500,1000,lvm-vg,k{i // 2};500,1000,file,k{i // 2}") for i in range(n)]))


@grows("units: of many types", 1000)
def _(n):
    return case(READ, f=text([node(i, more="|" + ";".join(f"5,9,t{j},k" for j in range(n // 4))) for i in range(4)]))


@grows("units: of a node that balances", 250)
def _(n):
    units = "|" + ";".join(f"500,1000,plain,k{i}" for i in range(n))
    return case(BALANCE, f=text([node(i, more=units) for i in range(4)], on_two(4, more="|1,drbd8,x")))


@grows("units: parameters of one", 20000)
def _(n):
    return case(READ, f=text([node(0, more="|5,9,file,k" + ",p" * n), node(1)]))


@grows("units: unknown to the nodes", 1000)  # each is looked for among all that the cluster has
def _(n):
    nodes = [node(i, more="|300000,400000,drbd8,ssd") for i in range(4)]
    return case(BALANCE, f=text(nodes, [instance(i, more=f"|1,drbd8,v{i}") for i in range(n)]))


@grows("units: volume groups with both types", 500)
def _(n):
    units = ";".join(f"500,1000,drbd8,k{i};400,900,lvm-vg,k{i}" for i in range(n))
    return case(READ, f=text([node(0, more="|" + units), node(1, more="|" + units)]))


# Words of the command line.


def words_case(option, words, more="", joint=","):
    files, command = case(BALANCE + more, f=text(None, on_two(8)))
    return files, [*command, f"{option}={joint.join(words)}"]


for option, name in (("--exclude-instances", "i"), ("--select-instances", "i"), ("--exclusion-tags", "t"), ("--exclude-nodes", "n")):
    @grows(f"words: {option}", 2000)
    def _(n, option=option, name=name):
        return words_case(option, [f"{name}{i % 8}" if option == "--exclude-nodes" else f"{name}{i}" for i in range(n)])


@grows("words: --exclusion-tags of many instances", 500)
def _(n):
    files, command = case(BALANCE, f=text(None, on_two(n, tags=",".join(f"t{j}:a" for j in range(8)))))
    return files, [*command, "--exclusion-tags=" + ",".join(f"t{i}" for i in range(n))]


@grows("words: nodes that are offline", 500)
def _(n):
    files, command = case("hbal -t @ -l 1", f=text([node(i) for i in range(n)]))
    return files, [*command, *(f"--offline=n{i}" for i in range(n))]


@grows("words: --pin", 500)
def _(n):
    files, command = case("hbal -t @ -l 1", f=text(None, on_two(8, tags="p:1")))
    return files, [*command, *(f"--pin=p{i}" for i in range(n))]


@grows("words: nodes to add", 500)
def _(n):
    files, command = case("hbal -t @ -l 0", f=text(None, on_two(8)))
    return files, [*command, *["--add-node=g,1,500g,16g,8"] * n]


@grows("words: a configuration", 5000)
def _(n):
    return case("hbal -t @cluster --config @site -l 1", cluster=text(None, on_two(8)),
                site="[hbal]\nexclude-instances = [" + ", ".join(f"i{i}" for i in range(n)) + "]\n")


@grows("words: a configuration of errors", 5000)
def _(n):
    return case("hbal -t @cluster --config @site -l 1", cluster=text(None, on_two(8)), site="[hbal]\n" + "".join(f"x{i} = 1\n" for i in range(n)))


@grows("words: sections of a configuration", 5000)
def _(n):
    return case("hbal -t @cluster --config @site -l 1", cluster=text(None, on_two(8)), site="[hbal]\nmax-cpu = 16\n" * n)


@grows("words: settings", 250)
def _(n):
    files, command = groups_of("")
    command[1] = "plan"
    return files, [*command, *(word for i in range(n) for word in ("--set", f"processes.general.podTemplate.metadata.labels.l{i}=x"))]


@grows("words: orders", 500)
def _(n):
    return case("htidb plan --current @ --order tikv=" + ",".join(f"s{i}" for i in range(n)),
                f=values(", extra: [" + ", ".join("{name: s%d, replicas: 1}" % i for i in range(8)) + "]"))


# Rules.


for kind in ("together", "apart"):
    @grows(f"rules: stars, {kind}", 500)
    def _(n, kind=kind):
        return rules_case(["{%s: ['i*'], name: r%d}" % (kind, i) for i in range(8)], n)


@grows("rules: pins", 500)
def _(n):
    return rules_case(["{pin: ['i%d'], to: ['n*']}" % i for i in range(n)], n)


@grows("rules: nodes of a pin", 2000)
def _(n):
    return rules_case(["{pin: ['i*'], to: [%s]}" % ", ".join(f"n{i % 4}" for i in range(n))], 8)


@grows("rules: names that are near", 500)  # each is compared with all that there are
def _(n):
    return rules_case(["{keep-instances: [ii%d]}" % i for i in range(n)], n // 4)


@grows("rules: errors", 2000)
def _(n):
    return rules_case(["{apart: 1, aprt: [x]}"] * n)


# What hbal, hcheck and hroller are asked.


@grows("asked: what if each node fails", 100)  # each on all others
def _(n):
    return case("hcheck -t @ --what-if each --json", f=text([node(i) for i in range(n)], on_two(8)))


@grows("asked: explanation", 500)
def _(n):
    return case("hbal -t @ --explain i0", f=text([node(i) for i in range(n)], on_two(8)))


@grows("asked: repair", 250)
def _(n):
    return case("hbal -t @ --repair --json -l 3", f=text(None, on_two(n, tags="s:a"), cluster_tags=["htools:iextags:s"]))


@grows("asked: room", 250)
def _(n):
    return case("hbal -t @ --make-room memory=60g,disk=1g --max-steps 2", f=text(None, on_two(n)))


@grows("asked: squeeze", 20)  # each node that may be switched off is a search of its own
def _(n):
    nodes = [node(i, tags="htools:standby:a") for i in range(n)]
    return case("hsqueeze -t @ --target-resources=0.1 --minimal-resources=0.1 --json", f=text(nodes, [instance(i, template="sharedfile") for i in range(8)]))


@grows("asked: a page", 500)
def _(n):
    return case("hbal -t @cluster --report page.html -l 3 -q", cluster=text(None, on_two(n)))


@grows("asked: a page of nodes", 500)
def _(n):
    return case("hcheck -t @cluster --report page.html -l 1 -q", cluster=text([node(i) for i in range(n)], on_two(8)))


@grows("asked: figures", 250)  # grows faster than the nodes
def _(n):
    return case("hinfo -t @cluster --metrics figures.prom -q", cluster=text([node(i, name='"\\' + f"x{i}") for i in range(n)]))


@grows("asked: since another plan", 250)
def _(n):
    return case("hbal -t @cluster --since @plan --json -l 1", plan=json.dumps(plan(n)), cluster=text(None, on_two(n)))


@grows("asked: node fields", 5000)
def _(n):
    files, command = case("hbal -t @ -l 0", f=text(None, on_two(8)))
    return files, [*command, "-p" + ",".join(["name"] * n)]


@grows("asked: forecast", 1000)
def _(n):
    old, new = (text(None, on_two(count)) for count in (n // 2, n))
    return case("hspace --forecast @old @new --dates 2026-01-01,2026-02-01", old=old, new=new)


@grows("asked: forecast of many days", 50)
def _(n):
    files, command = case("hspace --forecast", old=text(None, on_two(8)))
    return files, [*command, *["@old"] * n, "--dates=" + ",".join(f"{2000 + i // 336}-{1 + i // 28 % 12:02}-{1 + i % 28:02}" for i in range(n))]


@grows("asked: sizes of a policy", 2000)
def _(n):
    sizes = ";".join(["128,1,1024,1,1,1;2048,4,16384,16,8,12"] * n)
    policy = f"128,1,1024,1,1,1|{sizes}|drbd,plain,sharedfile,diskless|4.0|32.0"
    return case("hspace -t @ -l 3", f=text(policies=[f"|{policy}", f"g|{policy}"]))


@grows("asked: comparison of snapshots", 1000)
def _(n):
    return case("hplan diff @one @other", one=text(None, on_two(n)), other=text(None, list(reversed(on_two(n)))))


# Requests.


def hail(document):
    return case("hail @ --explain", f=json.dumps(document))


@grows("request: evacuation", 250)
def _(n):
    document = request()
    known = next(iter(document["instances"].values()))
    document["instances"] = {f"i{i}": {**known, "memory": 1} for i in range(n)}
    document["request"] = {"type": "node-evacuate", "instances": list(document["instances"]), "evac_mode": "all"}
    return hail(document)


@grows("request: instances that are not there", 2000)
def _(n):
    document = request()
    document["request"] = {"type": "node-evacuate", "instances": [f"x{i}" for i in range(n)], "evac_mode": "all"}
    return hail(document)


@grows("request: several", 250)
def _(n):
    document = request()
    one = {**document["request"], "memory": 1}
    document["request"] = {"type": "multi-allocate", "instances": [{**one, "name": f"new{i}"} for i in range(n)]}
    return hail(document)


@grows("request: groups to go to", 2000)
def _(n):
    document = request()
    document["request"] = {"type": "change-group", "instances": list(document["instances"])[:1], "target_groups": [f"uuid-{i}" for i in range(n)]}
    return hail(document)


@grows("request: groups of the cluster", 500)
def _(n):
    document = request()
    known = next(iter(document["nodegroups"].values()))
    document["nodegroups"] |= {f"uuid-{i}": {**known, "name": f"g{i}"} for i in range(n)}
    return hail(document)


@grows("request: networks", 2500)
def _(n):
    document = request()
    document["request"]["nics"] = [{"mac": "aa:00:00:00:00:01", "ip": None, "mode": "bridged", "link": "br0", "bridge": "br0", "network": f"n{i}"}
                                   for i in range(n)]
    for group in document["nodegroups"].values():
        group["networks"] = [f"n{i}" for i in range(n)]
    return hail(document)


@grows("request: relocation from many nodes", 2000)
def _(n):
    document = request()
    document["request"] = {"type": "relocate", "name": list(document["instances"])[0], "required_nodes": 1,
                           "relocate_from": [f"n{i}" for i in range(n)]}
    return hail(document)


def saved_answers(change, command="hinfo -m file://. -p --json"):
    saved = ROOT / "data" / "ganeti" / "saved-answers"
    texts = {path.stem: json.loads(path.read_text()) for path in saved.glob("*.json")}
    change(texts)
    return {f"{name}.json": json.dumps(text) for name, text in texts.items()}, command.split()


@grows("rapi: instances", 1000)
def _(n):
    def change(texts):
        texts["instances"] = [{**texts["instances"][0], "name": f"more{i}"} for i in range(n)]
    return saved_answers(change)


@grows("rapi: groups", 1000)
def _(n):
    def change(texts):
        texts["groups"] += [{**texts["groups"][0], "name": f"more{i}", "uuid": f"uuid{i}"} for i in range(n)]
    return saved_answers(change)


@grows("rapi: tags", 5000)
def _(n):
    def change(texts):
        texts["instances"][0]["tags"] = [f"t:{i}" for i in range(n)]
    return saved_answers(change, "hscan -d . file://.")


@grows("mond: nodes", 2000)
def _(n):
    report = {"name": "cpu-avg-load", "version": "B", "format_version": 1, "timestamp": 1, "category": None, "kind": 0,
              "data": {"cpu_number": 4, "cpus": [0.5] * 4, "cpu_total": 1.0}}
    return case("hbal -t @cluster --mond --mond-data @mond -l 1", cluster=text([node(i) for i in range(n)]),
                mond=json.dumps([{"node": f"n{i}", "reports": [report]} for i in range(n)]))

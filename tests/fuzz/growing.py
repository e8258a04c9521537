# SPDX-License-Identifier: BSD-2-Clause
"""Inputs of a size of one's choice, one way to grow a format each: names, lists, tags, depth, errors. growth.py asks what they cost.

Each maker takes a number n and gives the files of the case and the command; its input grows in proportion to n.
"""
import copy
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
POLICY = "128,1,1024,1,1,1|128,1,1024,1,1,1;2048,4,16384,16,8,12|drbd,plain,sharedfile,diskless|4.0|32.0"
MAKERS = {}


def grows(name, base):
    """Registers a maker with the n that it starts from."""
    def register(maker):
        assert name not in MAKERS
        MAKERS[name] = base, maker
        return maker
    return register


def case(command, **files):
    """The files by name; in the command a "@" stands for the only one, "@NAME" for that one."""
    return files, command.split()


# Text format: four nodes unless told otherwise.


def node(n, tags="", more="", name=None, group="u"):
    return f"{name or f'n{n}'}|65536|512|32000|4000000|3000000|64|{'M' if n == 0 else 'N'}|{group}|10|{tags}|N|0|1|1.0{more}"


def instance(i, tags="", more="", name=None, primary=0, secondary=1, template="drbd"):
    return (f"{name or f'i{i}'}|1024|5000|1|running|Y|n{primary}|{f'n{secondary}' if template == 'drbd' else ''}|{template}|{tags}|1|-|N"
            + more)


def text(nodes=None, instances=(), cluster_tags=(), policies=None, groups=("g|u|preferred||",)):
    nodes = [node(n) for n in range(4)] if nodes is None else nodes
    policies = [f"|{POLICY}", f"g|{POLICY}"] if policies is None else policies
    return "\n".join([*groups, "", *nodes, "", *instances, "", *cluster_tags, "", *policies, ""])


READ = "hinfo -t @ -p --json"
BALANCE = "hbal -t @ -l 1 --json"


@grows("text: nodes", 5000)
def _(n):
    return case(READ, f=text([node(i) for i in range(n)]))


@grows("text: instances", 5000)
def _(n):
    return case(BALANCE, f=text(None, [instance(i, primary=i % 4, secondary=(i + 1) % 4) for i in range(n)]))


@grows("text: nodes of one name", 5000)
def _(n):
    return case(READ, f=text([node(i, name="same") for i in range(n)]))


@grows("text: instances of one name", 5000)
def _(n):
    return case(BALANCE, f=text(None, [instance(i, name="same") for i in range(n)]))


@grows("text: groups", 2500)  # a score for each group, on tables of all nodes
def _(n):
    groups = [f"g{i}|u{i}|preferred||" for i in range(n)]
    return case(READ, f=text([node(i, group=f"u{i}") for i in range(n)], groups=groups, policies=[f"g{i}|{POLICY}" for i in range(n)]))


@grows("text: policies of one group", 5000)
def _(n):
    return case(READ, f=text(policies=[f"g|{POLICY}"] * n))


@grows("text: tags of an instance", 20000)
def _(n):
    instances = [instance(0, tags=",".join(f"t:{i}" for i in range(n)))]
    return case(BALANCE, f=text(None, instances, cluster_tags=["htools:iextags:t"]))


@grows("text: exclusion tags of all instances", 500)
def _(n):
    instances = [instance(i, tags=f"t:{i},s:{i},t:all", primary=i % 4, secondary=(i + 1) % 4) for i in range(n)]
    return case(BALANCE, f=text(None, instances, cluster_tags=["htools:iextags:t", "htools:iextags:s"]))


@grows("text: location tags of nodes", 4000)
def _(n):
    nodes = [node(i, tags=",".join(f"p:{j % 7}{j}" for j in range(n))) for i in range(4)]
    return case(BALANCE, f=text(nodes, [instance(i) for i in range(8)], cluster_tags=["htools:nlocation:p"]))


@grows("text: cluster tags", 4000)
def _(n):
    instances = [instance(i, tags=f"t{i}:a,t{i}:b", primary=i % 4, secondary=(i + 1) % 4) for i in range(n)]
    return case(READ, f=text(None, instances, cluster_tags=[f"htools:iextags:t{i}" for i in range(64)]))


@grows("text: prefixes of exclusion tags", 4000)
def _(n):
    return case(READ, f=text(None, [instance(0, tags="t1:a,t2:b")], cluster_tags=[f"htools:iextags:t{i}" for i in range(n)]))


@grows("text: units of a node", 250)  # each unit is looked for among all: more are no node
def _(n):
    units = "|" + ";".join(f"500,1000,plain,k{i}" for i in range(n))
    return case(READ, f=text([node(0, more=units), node(1, more=units)]))


@grows("text: disks of an instance", 4000)
def _(n):
    nodes = [node(i, more="|300000,400000,drbd8,ssd") for i in range(4)]
    return case(BALANCE, f=text(nodes, [instance(0, more="|" + ";".join(["1,drbd8,ssd"] * n))]))


@grows("text: a long name", 200000)
def _(n):
    return case("hbal -t @ -l 1 -p", f=text(None, [instance(0, name="x" * n)]))


@grows("text: empty lines", 100000)
def _(n):
    return case(READ, f=text() + "\n" * n)


@grows("text: commas", 100000)
def _(n):
    return case(READ, f=text(None, [instance(0, tags="," * n)]))


@grows("text: bars", 100000)
def _(n):
    return case(READ, f=text(None, [instance(0) + "|" * n]))


@grows("text: digits", 100000)
def _(n):
    return case(READ, f=text([node(0).replace("65536", "9" * n)]))


@grows("text: doctor", 250)  # each way out is tried on copies of four nodes that hold all
def _(n):
    instances = [instance(i, tags=f"t:{i % 5}", primary=i % 4, secondary=(i + 1) % 4) for i in range(n)]
    return case("hcheck -t @ -l 1 --doctor", f=text(None, instances, cluster_tags=["htools:iextags:t"]))


@grows("text: reboots", 250)  # a step a node, replayed on all nodes
def _(n):
    return case("hroller -t @ --force --json", f=text([node(i) for i in range(n)]))


@grows("text: loads", 20000)
def _(n):
    return case("hbal -t @cluster -U @loads -l 1", cluster=text(None, [instance(0)]), loads="".join(f"u{i} 1 1 1 1\n" for i in range(n)))


@grows("text: loads of one name", 20000)
def _(n):
    return case("hbal -t @cluster -U @loads -l 1", cluster=text(None, [instance(0)]), loads="i0 1 1 1 1\n" * n)


# Rules of administrators.


def rules_case(rules, instances=4):
    made = [instance(i, tags=f"s:{i}", primary=i % 4, secondary=(i + 1) % 4) for i in range(instances)]
    return case("hbal -t @cluster --rules @rules -l 1", cluster=text(None, made), rules="rules:\n" + "".join(f"- {rule}\n" for rule in rules))


@grows("rules: rules", 1000)
def _(n):
    return rules_case(["{apart: [i0, i1], name: r%d}" % i for i in range(n)])


@grows("rules: names that mean nothing", 2000)
def _(n):
    return rules_case(["{keep-instances: [%s]}" % ", ".join(f"x{i}" for i in range(n))])


@grows("rules: names", 500)
def _(n):
    return rules_case(["{apart: [%s]}" % ", ".join(f"i{i}" for i in range(n))], n)


@grows("rules: stars", 20000)
def _(n):
    return rules_case(["{keep-instances: ['%sb']}" % ("a*" * n)])


@grows("rules: a rule for each tag", 500)
def _(n):
    return rules_case(["{apart: {tag: s}}"], n)


# JSON of requests and answers.


def request():
    return json.loads((ROOT / "tests" / "golden" / "hail" / "explain-several-moves" / "request.json").read_text())


def hail(document):
    return case("hail @", f=document if isinstance(document, str) else json.dumps(document))


@grows("iallocator: depth", 50000)
def _(n):
    return hail("[" * n)


@grows("iallocator: closed depth", 50000)
def _(n):
    return hail('{"a":' * n + "1" + "}" * n)


@grows("iallocator: zeros", 50000)
def _(n):
    return hail("[" + "0," * n + "0]")


@grows("iallocator: one key again and again", 50000)
def _(n):
    return hail("{" + '"a":0,' * n + '"a":0}')


@grows("iallocator: digits", 100000)
def _(n):
    return hail('{"request":' + "9" * n + "}")


@grows("iallocator: escapes", 50000)
def _(n):
    return hail('{"request":"' + "\\ud83d" * n + '"}')


@grows("iallocator: nodes", 500)
def _(n):
    document = request()
    known = next(iter(document["nodes"].values()))
    document["nodes"] = {f"n{i}": known for i in range(n)}
    document["instances"] = {}
    return hail(document)


@grows("iallocator: instances", 1000)
def _(n):
    document = request()
    known = next(iter(document["instances"].values()))
    document["instances"] = {f"i{i}": known for i in range(n)}
    return hail(document)


@grows("iallocator: disks of the request", 2000)
def _(n):
    document = request()
    document["request"]["disks"] = [{"size": 1, "mode": "rw"}] * n
    return hail(document)


@grows("iallocator: tags of the request", 5000)
def _(n):
    document = request()
    document["request"]["tags"] = [f"t:{i}" for i in range(n)]
    document["cluster_tags"] = ["htools:iextags:t"]
    return hail(document)


@grows("rapi: nodes", 2000)
def _(n):
    saved = ROOT / "data" / "ganeti" / "saved-answers"
    texts = {path.stem: json.loads(path.read_text()) for path in saved.glob("*.json")}
    known = texts["nodes"][0]
    texts["nodes"] = [*texts["nodes"], *({**known, "name": f"more{i}"} for i in range(n))]
    return {f"{name}.json": json.dumps(text) for name, text in texts.items()}, ["hinfo", "-m", "file://.", "-p", "--json"]


@grows("mond: reports", 5000)
def _(n):
    answers = json.dumps([{"node": f"n{i % 4}", "reports": [{"name": "x", "data": i}]} for i in range(n)])
    return case("hbal -t @cluster --mond --mond-data @mond -l 1", cluster=text(None, [instance(0)]), mond=answers)


@grows("mond: reports of one node", 5000)
def _(n):
    answers = json.dumps([{"node": "n0", "reports": [{"name": "cpu-avg-load", "data": 0.5}] * n}])
    return case("hbal -t @cluster --mond --mond-data @mond -l 1", cluster=text(None, [instance(0)]), mond=answers)


# Plans.


def plan(n):
    document = json.loads((ROOT / "data" / "plans" / "moves.json").read_text())
    known = document["steps"]
    document["steps"] = []
    for number in range(1, n + 1):
        step = copy.deepcopy(known[(number - 1) % len(known)])
        step.update(n=number, phase=number, waits_for=[])
        step["subject"]["name"] = f"i{number}"
        step.pop("unprotected", None)
        document["steps"].append(step)
    document.pop("weakest", None)
    document["totals"] |= {"steps": n, "phases": n}
    return document


def show(form, document):
    return case(f"hplan show {form} @", f=json.dumps(document))


for form in ("--text", "--json", "--markdown", "--shell", "--html"):
    @grows(f"plan: steps, {form[2:]}", 500)
    def _(n, form=form):
        return show(form, plan(n))


@grows("plan: waits of a step", 5000)
def _(n):
    document = plan(n)
    document["steps"][-1]["waits_for"] = [{"kind": "step", "step": i} for i in range(1, n)]
    return show("--html", document)


@grows("plan: notes", 5000)
def _(n):
    document = plan(3)
    document["notes"] = [{"code": "NOTE", "text": f"note {i}"} for i in range(n)]
    return show("--text", document)


@grows("plan: a long name", 100000)
def _(n):
    document = plan(3)
    document["steps"][0]["subject"]["name"] = "\u202e" * n
    return show("--shell", document)


@grows("plan: unknown keys", 20000)
def _(n):
    return show("--text", plan(3) | {f"k{i}": 0 for i in range(n)})


@grows("plan: depth", 100000)
def _(n):
    return case("hplan show @", f="[" * n)


@grows("plan: check", 500)
def _(n):
    return case("hplan check @plan -t @cluster", plan=json.dumps(plan(n)),
                cluster=text(None, [instance(i, primary=i % 4, secondary=(i + 1) % 4) for i in range(n)]))


@grows("plan: diff", 500)
def _(n):
    other = plan(n)
    other["steps"].reverse()
    for number, step in enumerate(other["steps"], 1):
        step.update(n=number, phase=number)
    return case("hplan diff @one @other", one=json.dumps(plan(n)), other=json.dumps(other))

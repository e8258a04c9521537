# SPDX-License-Identifier: BSD-2-Clause
"""Cases of hail: random requests of every type, options, and documents that cannot be read."""
import random

from support import broken_json, cluster, request, runner, storage

KINDS = ["allocate", "allocate", "allocate", "multi-allocate", "node-evacuate", "node-evacuate", "relocate", "change-group",
         "allocate-secondary"]
FIELDS = ("idx,name,fqdn,status,tmem,nmem,imem,xmem,fmem,umem,amem,rmem,tdsk,fdsk,tcpu,ucpu,pcnt,scnt,plist,slist,pfmem,pfdsk,rcpu,"
          "cload,mload,dload,nload,peermap,spindle_count,hi_spindles,inst_spindles")
WRONG = [["extra"], ["--mond=maybe"], ["--static-kvm-node-memory=x"], ["-z"], ["--mond-data=x"], ["--no"], ["--help=1"], ["-S"],
         ["--static-kvm-node-memory=12y"], ["--print-n=a,b"], ["--restrict"], ["-S", "no/such/folder"]]


def options(rng, document):
    nodes = list(document.value["nodes"])
    choices = [
        (0.15, lambda: ["-p"]), (0.1, lambda: [f"-p{FIELDS}"]), (0.1, lambda: ["-S", "out"]),
        (0.15, lambda: ["--ignore-soft-errors"]), (0.25, lambda: ["--no-capacity-checks"]),
        (0.1, lambda: ["--restrict-allocation-to", ",".join(rng.sample(nodes, rng.randint(0, len(nodes))))]),
        (0.1, lambda: [f"--static-kvm-node-memory={rng.choice([0, -1, 100, 2048])}"]), (0.05, lambda: ["--ignore-dynu"]),
        (0.05, lambda: ["--mond=no"]),
    ]
    return [make() for probability, make in choices if rng.random() < probability]


def case(seed):
    rng = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    document = request.Builder(rng).build(kind)
    words = options(rng, document)
    content = document
    what = rng.random()
    if what < 0.12:
        content = broken_json.broken(rng, document)
        words = [w for w in words if rng.random() < 0.5]
    elif what < 0.15:
        words = rng.sample(WRONG, 1) + words
    on_input = rng.random() < 0.1
    made = runner.Case("hail", seed, {"request.json": content}, words + [["-" if on_input else "request.json"]],
                       stdin="request.json" if on_input else "")
    if content is not document or what < 0.15:
        return made
    # Generators of their own: the cases of a seed stay what they are.
    return with_verbosity(random.Random(seed + 2 * 10**9), with_storage(random.Random(seed + 10**9), made))


def with_verbosity(rng, made):
    """Some cases show the request and the cluster that came in; some of these take the cluster from elsewhere."""
    if rng.random() < 0.5:
        return made
    made.words = [["-v"]] * rng.choice([1, 2, 2, 3]) + made.words
    chance = rng.random()
    if chance < 0.12:
        made.files["cluster.data"] = cluster.random_cluster(rng)
        made.words.insert(0, ["-t", "cluster.data"])
    elif chance < 0.18:
        made.words.insert(0, ["--simulate", f"p,{rng.randint(1, 4)},20g,4g,2"])
    elif chance < 0.5:
        add_repair_tags(rng, made.files["request.json"].value)
    return made


def add_repair_tags(rng, document):
    """Automatic repair, which nothing but the shown cluster tells; moments far ahead or long past, so that now does not matter."""
    wishes = ["migrate", "fix-storage", "failover", "reinstall", "suspend", "suspend:1", "suspend:99999999999", "suspend: 4102444800",
              "suspend:", "suspend:x", "migrate:x", "result:migrate:1:success:"]
    owners = [*document["nodegroups"].values(), *document["instances"].values()]
    for tags in [document["cluster_tags"]] + [owner["tags"] for owner in owners]:
        if rng.random() < 0.4:
            tags += ["ganeti:watcher:autorepair:" + rng.choice(wishes) for _ in range(rng.randint(1, 3))]


def with_storage(rng, made):
    """Some cases carry storage keys, ignored by option or telling what the node's totals tell."""
    document = made.files["request.json"]
    chance = rng.random()
    if chance < 0.08:
        made.files["request.json"] = storage.with_any_keys(rng, document)
        made.ours_words = [["--ignore-storage"]]
    # A plain instance that gets a mirror needs metadata too, which the reference's total does not know.
    elif chance < 0.25 and document.value["nodes"] and document.value["request"]["type"] != "allocate-secondary":
        made.files["request.json"] = storage.make_mirrorable_request(document)
        made.ours_files = {"request.json": storage.mirrored_request}
        made.only_stdout = True
    return made

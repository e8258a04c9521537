# SPDX-License-Identifier: BSD-2-Clause
"""Cases of hail: random requests of every type, options, and documents that cannot be read."""
import random

from support import broken_json, request, runner, storage

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
    # A generator of its own: the cases of a seed stay what they are.
    return with_storage(random.Random(seed + 10**9), made) if content is document and what >= 0.15 else made


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

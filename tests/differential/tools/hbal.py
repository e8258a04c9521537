# SPDX-License-Identifier: BSD-2-Clause
"""Cases of hbal: a random cluster, and options in pairwise cover."""
import random

from support import breakage, cluster, pairwise, runner, storage

FIELDS = ("idx,name,fqdn,status,tmem,nmem,imem,xmem,fmem,umem,amem,rmem,tdsk,fdsk,tcpu,ucpu,pcnt,scnt,plist,slist,pfmem,pfdsk,rcpu,"
          "cload,mload,dload,nload,ptags,peermap,spindle_count,hi_spindles,inst_spindles")


def flag(word):
    return lambda rng, snapshot: [[word]]


def words(*options):
    return lambda rng, snapshot: [list(option) for option in options]


def nothing(rng, snapshot):
    return []


def some_node(rng, snapshot):
    names = snapshot.node_names()
    return [["-O", rng.choice(names)]] if names else []


def two_nodes(rng, snapshot):
    return some_node(rng, snapshot) + some_node(rng, snapshot)


def short_node(rng, snapshot):
    return [["-O", rng.choice(snapshot.node_names() or ["x"]).split(".")[0]]]


def instance_list(option):
    def make(rng, snapshot):
        names = snapshot.instance_names()
        chosen = rng.sample(names, min(len(names), rng.randint(1, 5)))
        if rng.random() < 0.3:
            chosen = [name.split(".")[0] for name in chosen]
        return [[f"{option}={','.join(chosen)}"]]
    return make


def group(column):
    def make(rng, snapshot):
        return [["-G", rng.choice(snapshot.groups)[column]]] if snapshot.groups else []
    return make


CHOICES = [
    [nothing, nothing, words(["-q"]), words(["-qq"]), words(["-v"]), words(["-v"], ["-v"]), words(["-vvv"]), words(["-vvvv"])],
    [nothing, nothing, words(["-p"]), words([f"-p{FIELDS}"]), words(["--print-nodes=+plist,nosuch,peermap"]), words(["-p=name,"])],
    [nothing, flag("--print-instances")],
    [nothing, nothing, words(["-C"]), words(["-Ccmds.sh"]), words(["--print-commands=-"])],
    [nothing, nothing, flag("-E")],
    [nothing, nothing, flag("--restricted-migration")],
    [nothing, nothing, flag("--no-disk-moves")],
    [nothing, nothing, flag("--no-instance-moves")],
    [nothing, nothing, flag("--ignore-soft-errors")],
    [nothing, nothing, words(["-l", "0"]), words(["-l1"]), words(["--max-length=3"]), words(["-l", "-5"])],
    [nothing, nothing, words(["-e", "0.5"]), words(["-e-1"]), words(["--min-score=1e9"])],
    [nothing, nothing, words(["-g", "0"]), words(["-g0.5"])],
    [nothing, nothing, words(["--min-gain-limit=1000"]), words(["--min-gain-limit=0"])],
    [nothing, nothing, nothing, words(["--max-cpu=1.5"]), words(["--max-cpu=64"])],
    [nothing, nothing, words(["--min-disk=0.1"]), words(["--min-disk", "0.6"])],
    [nothing, nothing, nothing, some_node, two_nodes, short_node],
    [group(0), group(0), group(1), nothing],
    [nothing, nothing, nothing, instance_list("--select-instances"), words(["--select-instances="])],
    [nothing, nothing, nothing, instance_list("--exclude-instances")],
    [nothing, nothing, words(["-U", "util"])],
    [nothing, nothing, nothing, flag("--ignore-dynu")],
    [nothing, nothing, words(["--exclusion-tags=svc"]), words(["--exclusion-tags=svc,db,"]), words(["--exclusion-tags="])],
    [nothing, nothing, nothing, words(["-S", "out"])],
    [nothing, nothing, flag("--first-job-group")],
    [nothing, nothing, nothing, words(["-X"]), words(["--priority=low"]), words(["--reason", "why"])],
]

WRONG = [["extra"], ["-O", "nowhere"], ["-O", "node"], ["-G", "nowhere"], ["--select-instances=inst0,nope"], ["--exclude-instances=zz"],
         ["--max-cpu=0"], ["--max-cpu=x"], ["-l", "ten"], ["-e", "1x"], ["-g", ""], ["--priority=urgent"], ["--mond=maybe"],
         ["-U", "missing"], ["-Sno/such/folder"], ["-Cno/such/folder"], ["--no"], ["--min"], ["-z"], ["--foo=1"], ["-l"], ["--help=1"],
         ["-pqz"], ["--"], ["-"], ["--max-l=2"], ["--print-n"], ["-xyz"], ["--exec=1"], ["-t"], ["-t", "missing"], ["-t", "."],
         ["-vqvq"], ["--static-kvm-node-memory=x"], ["--static-kvm-node-memory=100"], ["--select-instances=,"], ["-O", ""],
         ["-m", "", "-t", "cluster.data"], ["--min-disk=NaN"], ["--max-cpu=NaN"], ["-e", "NaN"], ["-g", "Infinity"], ["-S", "."],
         ["--min-gain-limit=-Infinity"], ["--min-disk=2"], ["--min-disk=-1"], ["-U", "broken"], ["--max-cpu=(0x2)"]]

UTILISATION = ["{} 0.5 1 1 0.25", "{} 0 0 0 0", "{} 3 2 1 0.125", "{} 0.1 0.7 0.3 1e-3", "{} 1e2 1 1 1"]
BROKEN_UTILISATION = [b"a b\n", b"\n", b"i 1 1 1 1 \n", b"i 1 x 1 1\n", b"i 1 1 1 1x\n", b"i  1 1 1 1\n", b"\xff 1 1 1 1\n"]


def utilisation(rng, snapshot):
    lines = [rng.choice(UTILISATION).format(name) for name in snapshot.instance_names() if rng.random() < 0.6]
    if rng.random() < 0.3:
        lines.append("unknown 1 1 1 1")
    return "".join(line + "\n" for line in lines).encode()


def chosen_options(rng, seed, snapshot):
    rows = pairwise.cover(tuple(len(c) for c in CHOICES))
    row = rows[seed % len(rows)]
    options = [option for choices, index in zip(CHOICES, row) for option in choices[index](rng, snapshot)]
    rng.shuffle(options)
    # Many options together leave no move; half of the cases drop most of them so that plans are long.
    return options if rng.random() < 0.4 else [option for option in options if rng.random() < 0.35]


def source(rng):
    """Words, and the file that is standard input."""
    return (["-t", "/dev/stdin"], "cluster.data") if rng.random() < 0.05 else (["-t", "cluster.data"], "")


def mirror_options(options):
    """Without those whose output shows that there are storage units."""
    return [option for option in options if not option[0].startswith(("-v", "-S", "--save"))]


def case(seed):
    rng = random.Random(seed)
    snapshot = cluster.random_cluster(rng)
    options = chosen_options(rng, seed, snapshot)
    if len(snapshot.groups) > 1 and not any(option[0] == "-G" for option in options) and rng.random() < 0.8:
        options += group(0)(rng, snapshot)
    words_of_source, stdin = source(rng)
    made = runner.Case("hbal", seed, {"util": utilisation(rng, snapshot)}, [], stdin=stdin, merged=rng.random() < 0.05)
    kind = rng.random()
    if kind < 0.2:
        snapshot = breakage.break_cluster(rng, snapshot)
        options = [option for option in options if rng.random() < 0.5]
    elif kind < 0.3:
        options = rng.sample(WRONG, rng.choice([1, 1, 2])) + [option for option in options if rng.random() < 0.2]
    elif kind < 0.37:
        snapshot = storage.with_any_columns(rng, snapshot)
        made.ours_words = [["--ignore-storage"]]
    elif kind < 0.47:
        snapshot = storage.make_mirrorable(snapshot)
        options = mirror_options(options)
        made.ours_files, made.only_stdout, made.merged = {"cluster.data": storage.mirrored}, True, False
    made.files["cluster.data"] = snapshot
    made.words = [words_of_source] + options
    if ["-U", "broken"] in options:
        made.files["broken"] = rng.choice(BROKEN_UTILISATION)
    if ["-U", "util"] not in options:
        del made.files["util"]
    return made

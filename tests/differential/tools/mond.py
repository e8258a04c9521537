# SPDX-License-Identifier: BSD-2-Clause
"""Cases of monitoring data in a file."""
import random

from support import broken_json, cluster, live, runner

OPTIONS = {
    "hbal": [["--mond-xen"], ["--exit-on-missing-mond-data"], ["--ignore-dynu"], ["-p"], ["--print-instances"], ["-v"]],
    "hinfo": [["--ignore-dynu"], ["-p"], ["--print-instances"]],
}


def case(seed):
    rng = random.Random(f"mond{seed}")
    tool = rng.choice(["hbal", "hbal", "hinfo"])
    snapshot = cluster.random_cluster(rng)
    reports = live.mond(rng, snapshot)
    if seed % 4 == 0 and reports.value:
        reports = broken_json.broken(rng, reports)
    words = [option for option in OPTIONS[tool] if rng.random() < 0.4] + [["--mond-data", "mond.json"]]
    words.append(rng.choice([["--mond"], ["--mond"], ["--mond=yes"], ["--mond=no"]]))
    rng.shuffle(words)
    return runner.Case(tool, seed, {"cluster.data": snapshot, "mond.json": reports}, [["-t", "cluster.data"]] + words)

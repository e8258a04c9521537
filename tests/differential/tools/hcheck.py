# SPDX-License-Identifier: BSD-2-Clause
from tools import simple


def some_instance(option):
    def words(rng, snapshot):
        names = snapshot.instance_names()
        return [f"{option}={rng.choice(names)}"] if names else ["-v"]
    return words


OPTIONS = [["--machine-readable"], ["--machine-readable=no"], ["--no-simulation"], ["--no-capacity-checks"], ["-v"], ["-q"], ["-l", "2"], ["-l0"],
           ["--no-disk-moves"], ["--no-instance-moves"], ["-E"], ["--ignore-soft-errors"], ["--ignore-dynu"], ["--max-cpu=3"],
           ["--min-disk=0.2"], ["-g", "0.1"], ["--min-gain-limit=5"], ["-e", "2"], ["--exclusion-tags=svc,room"], simple.some_node,
           some_instance("--select-instances"), some_instance("--exclude-instances")]
WRONG = [["extra"], ["-O", "nowhere"], ["--machine-readable=maybe"], ["-z"], ["--no-"], ["--max-cpu=0"], ["-l", "x"], ["-p"],
         ["--select-instances=foo,bar"], ["-U", "nowhere"]]


def case(seed):
    return simple.case("hcheck", seed, OPTIONS, WRONG)

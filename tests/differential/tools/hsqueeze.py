# SPDX-License-Identifier: BSD-2-Clause
from tools import simple

OPTIONS = [["-v"], ["-C"], ["-Ccmds.sh"], ["--target-resources=1"], ["--target-resources=0.5"], ["--minimal-resources=0.1"],
           ["--minimal-resources=5"], ["--no-headers"], ["-S", "out"], ["-X"]]
WRONG = [["extra"], ["--minimal-resources=x"], ["--target-resources="], ["-q"], ["-Sno/such/folder"], ["-Cno/such/folder"]]


def case(seed):
    return simple.case("hsqueeze", seed, OPTIONS, WRONG)

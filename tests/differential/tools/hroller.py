# SPDX-License-Identifier: BSD-2-Clause
from tools import simple

OPTIONS = [["-v"], ["-v"], ["-q"], ["--print-moves"], ["--print-moves"], ["--full-evacuation"], ["--full-evacuation"],
           ["--offline-maintenance"], ["--skip-non-redundant"], ["--ignore-non-redundant"], ["--one-step-only"], ["--no-headers"],
           ["--node-tags=rack:1,svc:a"], ["-S", "out"], simple.some_node, simple.some_group]
WRONG = [["extra"], ["-O", "nowhere"], ["-G", "nowhere"], ["--node-tags="], ["-z"], ["-Sno/such/folder"]]


def case(seed):
    return simple.case("hroller", seed, OPTIONS, WRONG, always=[["-f"]])

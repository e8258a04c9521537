# SPDX-License-Identifier: BSD-2-Clause
"""Cases of the query socket as a source: both programs ask the same server, whose answers are now and then broken."""
import random

from support import live, runner
from tools import rapi

TOOLS = ["hscan", "hinfo", "hbal", "hroller", "hsqueeze"]
OPTIONS = {**rapi.OPTIONS, "hsqueeze": [["-v"]]}
OPTIONS["hscan"] = [option for option in OPTIONS["hscan"] if not option[0].startswith("file")]


def case(seed):
    rng = random.Random(f"luxi{seed}")
    tool = TOOLS[seed % len(TOOLS)]
    files = rapi.files_of(rng, seed, live.luxi)
    words = [option for option in OPTIONS[tool] if rng.random() < 0.3]
    return runner.Case(tool, seed, files, [["-Lluxi.sock"]] + words, service=live.luxi_server)

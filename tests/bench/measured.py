# SPDX-License-Identifier: BSD-2-Clause
"""What the benchmarks share: a whole process run and measured, and their common options."""
import argparse
import dataclasses
import os
import resource
import subprocess


@dataclasses.dataclass
class Measured:
    cpu: float  # seconds, user and system
    mib: float  # peak of memory
    output: bytes  # standard output
    status: int


def run(command, limit=None, accepted=(0,)):
    """None where the process passed `limit` CPU seconds or ended with a status that is not accepted."""
    environment = {k: v for k, v in os.environ.items() if k != "HTOOLS"}  # it would choose another role of the reference
    guard = None if limit is None else lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, preexec_fn=guard) as process:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in accepted:
        return None
    return Measured(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output, process.returncode)


def parser(doc, limit):
    """The options that scripts/bench gives to each; `limit` in CPU seconds."""
    made = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--bin", required=True, help="folder of the tools")
    made.add_argument("--reference", help="folder of the reference's tools; a tool that it lacks is measured alone")
    made.add_argument("--limit", type=int, default=limit, help="CPU seconds after which a process is given up")
    return made

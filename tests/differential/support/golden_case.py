# SPDX-License-Identifier: BSD-2-Clause
"""Writes a case with the reference's answer as a golden case."""
import pathlib

GOLDEN = pathlib.Path(__file__).resolve().parents[2] / "golden"


def write(case, pair, name=None):
    folder = GOLDEN / case.tool / (name or f"found-{case.seed}")
    folder.mkdir(parents=True, exist_ok=True)
    mine = case.for_ours()
    for file, content in mine.contents().items():
        (folder / file).write_bytes(content)
    (folder / "cmd").write_text(mine.command() + "\n")
    outcome = pair.run_reference(case)
    parts = {"stdout": outcome.stdout, "stderr": outcome.stderr}
    if outcome.status:
        parts["exit"] = f"{outcome.status}\n".encode()
    for part, content in parts.items():
        if content:
            (folder / part).write_bytes(content)
    if outcome.written:
        (folder / "want").mkdir(exist_ok=True)
        for file, content in outcome.written.items():
            (folder / "want" / file).write_bytes(content)
    return folder

# SPDX-License-Identifier: BSD-2-Clause
"""The reviewed list of differences from the reference. Each entry: a name, why, and when it applies.

An entry excuses only what it names: everything else of the case must be equal."""
import dataclasses
import typing


@dataclasses.dataclass(frozen=True)
class Difference:
    name: str
    reason: str
    applies: typing.Callable  # (case, reference, ours) -> bool


def is_crash(outcome):
    return outcome.status == 1 and b"CallStack (from HasCallStack)" in outcome.stderr


def same_but_stderr(reference, ours):
    return reference.status == ours.status and reference.stdout == ours.stdout


def crash_is_one_line(case, reference, ours):
    """The reference dies in the middle: its output until then and its exit status are kept, standard error ends in one line of ours."""
    written_alike = all(ours.written.get(name) in (content, None) for name, content in reference.written.items())
    return is_crash(reference) and same_but_stderr(reference, ours) and written_alike and b"CallStack" not in ours.stderr


DIFFERENCES = [
    Difference("one line where the reference crashes",
               "a missing node (secondary outside the group, drbd without secondary) ends the reference with an internal "
               "message; ours says which instance and node in one line, and writes no incomplete file",
               crash_is_one_line),
]


def find(case, reference, ours):
    for difference in DIFFERENCES:
        if difference.applies(case, reference, ours):
            return difference.name
    return None

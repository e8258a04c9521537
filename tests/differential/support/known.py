# SPDX-License-Identifier: BSD-2-Clause
"""The reviewed list of differences from the reference. Each entry: a name, why, and when it applies.

An entry excuses only what it names: everything else of the case must be equal."""
import dataclasses
import re
import typing


@dataclasses.dataclass(frozen=True)
class Difference:
    name: str
    reason: str
    applies: typing.Callable  # (case, reference, ours) -> bool


CRASH = b"CallStack (from HasCallStack)"


def is_crash(outcome):
    return outcome.status == 1 and CRASH in outcome.stderr


def same_but_stderr(reference, ours):
    return reference.status == ours.status and reference.stdout == ours.stdout


def crash_is_one_line_in_between(case, reference, ours):
    """Both streams in one place: the reference's unfinished line is glued to what follows; apart from our one line, nothing is new."""
    new = [line for line in ours.stdout.splitlines() if line not in reference.stdout]
    is_ours = len(new) == 1 and new[0].startswith(case.tool.encode() + b": ")
    return case.merged and reference.status == ours.status == 1 and CRASH in reference.stdout and is_ours


def crash_is_one_line(case, reference, ours):
    """The reference dies in the middle: its output until then and its exit status are kept, standard error ends in one line of ours."""
    written_alike = all(ours.written.get(name) in (content, None) for name, content in reference.written.items())
    return is_crash(reference) and same_but_stderr(reference, ours) and written_alike and b"CallStack" not in ours.stderr


def null_disk_is_zero(case, reference, ours):
    """hail reads a null total_disk or free_disk as 0, where the reference refuses the document."""
    refused = any(text in reference.stderr for text in (b"key 'total_disk': Unable to read Double", b"key 'free_disk': Unable to read Int"))
    has_null = any(b"_disk\": null" in content for content in case.contents().values())
    return case.tool == "hail" and reference.status == 1 and refused and has_null


def unwrapped(text):
    """Blanks and line ends of a run as one blank, none at the start of a line or before it."""
    return re.sub(rb"\s+", b" ", text)


def wrapped_value(case, reference, ours):
    """A long value inside an error message: the reference breaks it over lines, ours keeps the message on one."""
    shown = b"Cannot convert value '"
    if shown not in reference.stderr + reference.stdout or reference.status != ours.status:
        return False
    return all(unwrapped(r) == unwrapped(o) for r, o in ((reference.stderr, ours.stderr), (reference.stdout, ours.stdout)))


def lone_surrogate(case, reference, ours):
    """The reference dies where it would print a lone surrogate of a LUXI answer; until there both say the same."""
    dies = b"hscan: <stdout>: commitBuffer: invalid argument (invalid character)\n"
    return case.tool == "hscan" and reference.stderr == dies and reference.status == 1 and ours.status == 2 \
        and ours.stdout.startswith(reference.stdout) and ours.stderr == b""


def reference_takes_too_long(case, reference, ours):
    """hspace tries thousands of sizes one by one; the reference needs minutes for some, so there is no answer to compare with."""
    return case.tool == "hspace" and reference.status == -1 and ours.status == 0


EXPLANATION = re.compile(rb"(Instance .*|  .*|Smallest change .*|Moving .*|No single move .*)\n")


def explained_in_between(case, reference, ours):
    """With -v ours explains on standard error: one block of whole lines, all else is the reference's."""
    if case.tool != "hail" or ["-v"] not in case.words or reference.written != ours.written or not same_but_stderr(reference, ours):
        return False
    theirs, mine = reference.stderr.splitlines(keepends=True), ours.stderr.splitlines(keepends=True)
    same = next((i for i, pair in enumerate(zip(theirs, mine)) if pair[0] != pair[1]), min(len(theirs), len(mine)))
    block = mine[same:same + len(mine) - len(theirs)]
    return mine[:same] + mine[same + len(block):] == theirs and all(EXPLANATION.fullmatch(line) for line in block)


DIFFERENCES = [
    Difference("the reference does not end within the time limit",
               "tiers of a size that shrinks in thousands of steps; nothing is compared", reference_takes_too_long),
    Difference("an explanation under -v",
               "ours says why instances fit or not, which the reference does not; all other lines are its own", explained_in_between),
    Difference("a lone surrogate in a cluster's error does not end hscan",
               "the reference cannot print it and dies; ours prints it as it came, and the other clusters are still done",
               lone_surrogate),
    Difference("a long value in an error message stays on one line",
               "the reference wraps a value of a LUXI answer at a page width; one line is what scripts and logs can use",
               wrapped_value),
    Difference("null disk figures are 0",
               "nodes without LVM report null; the reference cannot read such documents, ours can (users' reports)",
               null_disk_is_zero),
    Difference("one line where the reference crashes",
               "a missing node (secondary outside the group, drbd without secondary) ends the reference with an internal "
               "message; ours says which instance and node in one line, and writes no incomplete file",
               lambda *both: crash_is_one_line(*both) or crash_is_one_line_in_between(*both)),
]


def find(case, reference, ours):
    for difference in DIFFERENCES:
        if difference.applies(case, reference, ours):
            return difference.name
    return None

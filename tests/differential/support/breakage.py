# SPDX-License-Identifier: BSD-2-Clause
"""Odd and broken inputs: one change to a well-formed cluster."""
from support import storage

NUMBERS = ["5 ", "5.", "12abc", "0b11", "1_0", "1 2", "5)", "1e3", "1.0", "", "-", "--5", "+5", "-(5)", "(5", "(5)", "((5))", "( 5 )",
           "-5", "- 5", "(-5)", " 5", "0x1F", "0o17", "007", "99999999999999999999", "9" * 40, "1e", "1e+", "1,5", ".5", "nan",
           "NaN", "Infinity", "-Infinity", "1.5.2", "1e400", "\t7", "é", "-0", "zero", "0", "-1"]
WORDS = ["", "x", "é", "Y", "N", "y", "running ", "drbd8", "node0", "?", "\"", "\\", "a,b", ",", "|", "\x01", "'", "uuid-0",
         "group0", "-", "a b", "inst0"]


def change_column(rng, cluster):
    section = getattr(cluster, rng.choice(["nodes", "nodes", "instances", "instances", "policies", "groups"]))
    if section:
        line = rng.choice(section) or [""]
        column = rng.randrange(len(line))
        line[column] = rng.choice(NUMBERS if rng.random() < 0.6 else WORDS)


def cut_columns(rng, cluster):
    section = getattr(cluster, rng.choice(["nodes", "instances", "policies", "groups"]))
    if section:
        line = rng.choice(section)
        del line[rng.randrange(len(line) + 1):]


def add_columns(rng, cluster):
    """Surplus columns; of instances where storage units have theirs, which count only where a node has some."""
    kind = rng.choice(["policies", "groups", "instances"])
    section = getattr(cluster, kind)
    if section:
        line = rng.choice(section)
        if kind == "instances":
            line[:] = storage.padded(line, storage.INSTANCE_DEFAULTS)
        line.extend(rng.choice([["x"], ["", ""], ["1", "2", "3"]]))


def repeat_line(rng, cluster):
    section = getattr(cluster, rng.choice(["nodes", "instances", "policies", "groups"]))
    if section:
        section.insert(rng.randrange(len(section) + 1), list(rng.choice(section)))


def drop_line(rng, cluster):
    section = getattr(cluster, rng.choice(["nodes", "groups"]))
    if section:
        del section[rng.randrange(len(section))]


def same_nodes(rng, cluster):
    whole = [i for i in cluster.instances if len(i) > 8]
    if whole:
        line = rng.choice(whole)
        line[7] = line[6]


def lose_secondary(rng, cluster):
    mirrored = [i for i in cluster.instances if len(i) > 8 and i[8] == "drbd"]
    if mirrored:
        rng.choice(mirrored)[7] = ""


def odd_specs(rng, cluster):
    spec = rng.choice(["1,2,3", "1,2,3,4,5,x", "1,2,3,4,5,6,7", "", "a", "1,1,1,1,1,1;2,2,2,2,2,2;3,3,3,3,3,3", ";", "1,2,3,4,5,6;1,2"])
    cluster.policies.append(["group0", *rng.choice([[spec, ""], ["128,1,1024,1,1,1", spec]]), "drbd", "4", "32"])


STRUCTURED = [change_column] * 6 + [cut_columns] * 2 + [add_columns, repeat_line, drop_line, same_nodes, lose_secondary, odd_specs]


def crlf(_, data):
    return data.replace(b"\n", b"\r\n")


def no_final_newline(_, data):
    return data.rstrip(b"\n")


def nul_byte(rng, data):
    at = rng.randrange(len(data) + 1)
    return data[:at] + b"\0" + data[at:]


def empty_lines(rng, data):
    lines = data.split(b"\n")
    lines.insert(rng.randrange(len(lines)), b"")
    return b"\n".join(lines)


def lost_empty_line(rng, data):
    lines = data.split(b"\n")
    empty = [i for i, line in enumerate(lines) if not line]
    if empty:
        del lines[rng.choice(empty)]
    return b"\n".join(lines)


def truncated(rng, data):
    return data[: rng.randrange(len(data) + 1)]


def lost_byte(rng, data):
    at = rng.randrange(max(1, len(data)))
    return data[:at] + data[at + 1:]


def blanks(rng, data):
    return data.replace(b"|", rng.choice([b"| ", b" |", b"||"]), rng.randrange(1, 30))


def surplus_section(_, data):
    return data + b"\n" + b"one|more|section\n"


BYTES = [crlf, no_final_newline, nul_byte, empty_lines, lost_empty_line, truncated, lost_byte, blanks, surplus_section,
         lambda rng, data: b"", lambda rng, data: b"\n" * rng.randrange(6)]


def break_cluster(rng, cluster):
    """The cluster itself, changed, or bytes."""
    for _ in range(rng.choice([1, 1, 2])):
        rng.choice(STRUCTURED)(rng, cluster)
    if rng.random() < 0.35:
        return rng.choice(BYTES)(rng, cluster.render())
    return cluster

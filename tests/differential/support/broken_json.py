# SPDX-License-Identifier: BSD-2-Clause
"""Documents with one thing wrong: a value of another type, a key that is missing or twice, broken syntax."""
import copy
import json

VALUES = [None, True, False, 0, -1, 1.5, 2.5, 1e30, 1e400, "", "x", "5", [], ["a"], {}, {"a": 1}, [[]], 2 ** 63, -2 ** 63 - 1, 10 ** 25]
RAW = ["NaN", "Infinity", "01", "-", "1.", "1e", "1.5e3", "2.5e0", "5e-1", "-0", "truex", "nul", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"",
       "\"\\ud800\"", "\"a\tb\"", "[1,]", "{,}", "[1 2]", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "1E+2", "-1.5", "3.5", "+1", ".5", "\"\\u00e9\"",
       "'x'", "tru", "fals", "[", "{", "\"", "{1:2}"]


def paths(value, prefix=()):
    """Every place in the document, as a tuple of keys."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []
    for key, member in items:
        yield (*prefix, key)
        yield from paths(member, (*prefix, key))


def parent(value, path):
    for key in path[:-1]:
        value = value[key]
    return value


def wrong_value(rng, value):
    path = rng.choice(list(paths(value)))
    parent(value, path)[path[-1]] = copy.deepcopy(rng.choice(VALUES))


def missing_key(rng, value):
    path = rng.choice([p for p in paths(value) if isinstance(p[-1], str)])
    del parent(value, path)[path[-1]]


def extra_key(rng, value):
    path = rng.choice([p for p in paths(value) if isinstance(p[-1], str)])
    parent(value, path)[rng.choice(["extra", "zz", "a b"])] = rng.choice(VALUES)


def raw_value(rng, document):
    marker = "@raw@"
    value = copy.deepcopy(document.value)
    path = rng.choice(list(paths(value)))
    parent(value, path)[path[-1]] = marker
    return json.dumps(value).replace(json.dumps(marker), rng.choice(RAW)).encode()


def twice(rng, document):
    """A member written twice; the second time with another value."""
    text = document.render().decode()
    key = rng.choice(["memory", "free_memory", "group", "request", "nodes", "name", "size", "tags", "offline"])
    at = text.find(f'"{key}": ')
    if at < 0:
        return text.encode()
    return (text[:at] + f'"{key}": {json.dumps(rng.choice(VALUES))}, ' + text[at:]).encode()


def cut(rng, document):
    data = document.render()
    return data[: rng.randrange(len(data))]


def lost_byte(rng, document):
    data = document.render()
    at = rng.randrange(len(data))
    return data[:at] + data[at + 1:]


def around(rng, document):
    data = document.render()
    return rng.choice([b" " + data, data + b"\n\n", data + b" x", data + b"}", b"\xef\xbb\xbf" + data, data + b"\xff", b"[" + data + b"]",
                       b"", b"x", b"[]", b"{}", b"null", data.replace(b", ", b" ,\n\t"), data.replace(b": ", b":\xc2\xa0", 3),
                       b"\xff" + data, data[:40] + b"\xff" + data[40:], b"[" * 50, b"{\"a\":" * 50, data + "日本語テキストと長い文字列".encode()])


def broken(rng, document):
    make = rng.choice([wrong_value] * 5 + [missing_key] * 3 + [extra_key, raw_value, raw_value, raw_value, twice, cut, lost_byte, around])
    if make in (wrong_value, missing_key, extra_key):
        changed = copy.deepcopy(document)
        make(rng, changed.value)
        return changed.render()
    return make(rng, document)

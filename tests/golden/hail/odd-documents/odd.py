"""Texts that are hardly documents, and documents with unusual members."""
import json
import subprocess

GOOD = open("request.json", encoding="utf-8").read().rstrip()
DEEP = 100000


def with_member(name, text):
    return GOOD.replace("{", '{"' + name + '": ' + text + ",", 1)


def node_twice():
    """Of a group's, node's or instance's name the last counts where somebody refers to it; both are there."""
    document = json.loads(GOOD)
    first = json.dumps(document["nodes"]["plover"])
    return GOOD.replace('"nodes": {', '"nodes": {"plover": ' + first + ",", 1)


CASES = {
    "nothing": "",
    "a blank first": " " + GOOD,
    "a byte-order mark": "\ufeff" + GOOD,
    "a list": "[]",
    "a text": '"request"',
    "blanks behind": GOOD + " \n\t ",
    "a comma behind": GOOD + ",",
    "a second document": GOOD + GOOD,
    "a zero byte behind": GOOD + "\0",
    "cut in the middle": GOOD[: len(GOOD) // 2],
    "cut before the last brace": GOOD[:-1],
    "deep lists, unknown member": with_member("x", "[" * DEEP + "]" * DEEP),
    "deep lists, never closed": with_member("x", "[" * DEEP),
    "deep objects, unknown member": with_member("x", '{"a":' * DEEP + "1" + "}" * DEEP),
    "a number of 100,000 digits": with_member("x", "9" * DEEP),
    "an exponent of 100,000,000": with_member("x", "1e100000000"),
    "two members of one name": with_member("request", '{"type": "relocate"}'),
    "a node twice": node_twice(),
    "a comment": GOOD.replace("{", "{/* */", 1),
    "a trailing comma": GOOD[:-1] + ",}",
    "single quotes": GOOD.replace('"', "'"),
    "a raw line end in a text": GOOD.replace("new.beach", "new\nbeach"),
    "an unpaired surrogate": GOOD.replace("new.beach", "new\\ud800beach"),
    "NaN": with_member("x", "NaN"),
}

for name, text in CASES.items():
    done = subprocess.run(["hail", "-"], input=text.encode("utf-8", "surrogatepass"), capture_output=True, check=False)
    lines = (done.stderr + done.stdout).decode("utf-8", "replace").splitlines() or [""]
    print(f"{name}: {done.returncode} {lines[0][:200]}")
done = subprocess.run(["hail", "-"], input=GOOD.replace("new.beach", "new\xff.beach").encode("latin-1"), capture_output=True, check=False)
print(f"a byte that is no UTF-8: {done.returncode} {(done.stderr + done.stdout).decode('utf-8', 'replace')[:200]}")

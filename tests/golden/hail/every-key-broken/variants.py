"""Each key of the document once missing, null, of another type, huge, negative, and a text that is no number: status and answer."""
import copy
import json
import subprocess

DOCUMENT = json.load(open("request.json", encoding="utf-8"))
MISSING = object()
WRONG = {"missing": MISSING, "null": None, "list": [7], "text": "NaN", "true": True, "huge": 10**30, "negative": -7, "fraction": 0.5}


def paths(value, path=()):
    """Members of objects, down into the first element of lists; of nodes only the first."""
    if isinstance(value, list) and value:
        yield from paths(value[0], path + (0,))
    for key, member in value.items() if isinstance(value, dict) else []:
        if path == ("nodes",) and key != "plover":
            continue
        yield path + (key,)
        yield from paths(member, path + (key,))


def broken(path, what):
    document = copy.deepcopy(DOCUMENT)
    place = document
    for key in path[:-1]:
        place = place[key]
    if what is MISSING:
        del place[path[-1]]
    else:
        place[path[-1]] = what
    return json.dumps(document)


for path in paths(DOCUMENT):
    if path[0] in ("version", "cluster_name"):
        continue
    told = {}
    for name, what in WRONG.items():
        done = subprocess.run(["hail", "-"], input=broken(path, what), capture_output=True, text=True, check=False)
        first = (done.stderr.splitlines() or [""])[0]
        told.setdefault(f"{done.returncode} {first[:160] or done.stdout[:60].rstrip()}", []).append(name)
    print(".".join(map(str, path)))
    for answer, names in told.items():
        print(f"  {', '.join(names)}: {answer}")

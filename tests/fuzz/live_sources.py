# SPDX-License-Identifier: BSD-2-Clause
"""Masters and daemons whose answers keep to the grammar and are wrong or odd beyond it: the remote API as saved answers and as a server,
the query socket, monitoring data. Half of the servers also break their protocol: status, length, frames."""
import contextlib
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "differential"), str(ROOT / "support")]

import servers  # noqa: E402
from support import live  # noqa: E402
from support.cluster import random_cluster  # noqa: E402

READERS = [["hinfo", "-p", "--json"], ["hbal", "-l", "3", "--json"], ["hcheck", "-l", "3"], ["hroller", "--force", "--json"], ["hspace"]]
PATHS = {"/2/groups?bulk=1": "groups.json", "/2/nodes?bulk=1": "nodes.json", "/2/instances?bulk=1": "instances.json", "/2/info": "info.json"}


def documents(rng, make, mutate):
    """Texts by name; one or two of the answers of a random cluster are mutated."""
    made = make(rng, random_cluster(rng))
    texts = {name: document.render().decode(errors="replace") for name, document in made.items()}
    for name in rng.sample(sorted(texts), min(len(texts), rng.choice([0, 1, 1, 2]))):
        texts[name] = mutate(rng, texts[name], 2)
    return texts


def odd_frames(rng, body):
    """What the other end may send in place of a whole body."""
    return rng.choice([body[:rng.randrange(len(body) + 1)], body + body, b"", b"\x00" + body, b"\xff\xfe" + body, body + b"\n" * 3, body.upper()])


@contextlib.contextmanager
def rapi(rng, folder, mutate):
    texts = documents(rng, live.rapi, mutate)
    command = list(rng.choice(READERS))
    if rng.random() < 0.5:
        for name, text in texts.items():
            (folder / name).write_text(text)
        yield [*command, "-m", f"file://{folder}"]
        return
    is_odd = rng.random() < 0.5

    def answer(handler):
        body = texts[PATHS[handler.path]].encode() if handler.path in PATHS else b"{}"
        if not is_odd:
            return 200, {"Content-Type": "application/json"}, body
        status = rng.choice([200] * 30 + [201, 204, 301, 401, 404, 500])
        headers = rng.choice([{}] * 9 + [{"Content-Type": "text/html"}, {"Content-Length": str(len(body) // 2)}, {"Content-Encoding": "gzip"}])
        return None if rng.random() < 0.02 else (status, headers, odd_frames(rng, body) if rng.random() < 0.1 else body)

    with servers.web(answer) as address:
        yield [*command, "-m", f"http://{address}", "--timeout", "5"]


@contextlib.contextmanager
def luxi(rng, folder, mutate):
    texts = documents(rng, live.luxi, mutate)
    is_odd = rng.random() < 0.5
    path = folder / "luxi.sock"
    path.unlink(missing_ok=True)

    def answer(message):
        call = json.loads(message)
        name = call["args"][0] if call["method"] == "Query" else "cluster"
        body = texts[f"{name}.reply"].encode()
        if is_odd and rng.random() < 0.1:
            return rng.choice([None, odd_frames(rng, body) + servers.END, servers.END + body + servers.END, body + servers.END * 2])
        return body + servers.END

    with servers.luxi(path, answer):
        yield [*rng.choice(READERS), f"-L{path}", "--timeout", "5"]


@contextlib.contextmanager
def mond(rng, folder, mutate):
    cluster = random_cluster(rng)
    (folder / "cluster.data").write_bytes(cluster.render())
    (folder / "mond.json").write_text(mutate(rng, live.mond(rng, cluster).render().decode(errors="replace"), 2))
    words = [*rng.choice(READERS[:2]), "-t", str(folder / "cluster.data"), "--mond", "--mond-data", str(folder / "mond.json")]
    yield words + rng.choice([[], ["--mond-xen"], ["--exit-on-missing-mond-data"]])


SOURCES = {"rapi": rapi, "luxi": luxi, "mond": mond}

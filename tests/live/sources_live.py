#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The sources against a real Ganeti: LUXI and the remote API are read by ours and by the packaged programs, hscan's snapshots are held
against each other, and the commands that hbal -C prints are executed; the cluster must then be what the plan promised.

Usage: sources_live.py --bin DIR [--keep]      Exit status: 0 all well, 1 not, 77 Ganeti cannot be had here.
"""
import json
import pathlib
import re
import socket
import sys

from ganeti_cluster import NETWORK, call, test_on_cluster

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import servers  # noqa: E402

REFERENCE = "/usr/lib/ganeti/3.0/usr/bin/htools"
TRIES = 10
INSTANCES = 6


class Replay:
    """Between the programs and the master's socket: asks once for each request, then repeats the answer. What the second program asks must
    be, to the byte, what the first one asked."""

    def __init__(self, path):
        self.path, self.known, self.is_open = path, {}, True

    def answer(self, message):
        if message not in self.known:
            if not self.is_open:
                return None
            with socket.socket(socket.AF_UNIX) as master:
                master.connect(str(self.path))
                master.sendall(message + servers.END)
                answer = b""
                while not answer.endswith(servers.END):
                    answer += master.recv(1 << 16)
            self.known[message] = answer
        return self.known[message]


class Live:
    def __init__(self, cluster, folder):
        self.cluster, self.folder, self.problems = cluster, folder, []
        self.socket = cluster.folder / "node1/var/run/ganeti/socket/ganeti-query"
        self.work = cluster.folder / "work"
        self.work.mkdir()
        self.work.chmod(0o777)

    def check(self, holds, text, shown=""):
        print(("ok      " if holds else "FAILED  ") + text + (f"\n{shown}" if not holds and shown else ""), flush=True)
        if not holds:
            self.problems.append(text)

    def ours(self, tool, *words):
        """Inside the cluster's network."""
        return call(["ip", "netns", "exec", self.cluster.name, self.folder / tool, *words], cwd=self.work)

    def reference(self, tool, *words):
        return call(["ip", "netns", "exec", self.cluster.name, "env", f"HTOOLS={tool}", "LC_ALL=C.UTF-8", REFERENCE, *words], cwd=self.work)

    def fill(self):
        """Shared files, so that instances can move; all on the first two nodes."""
        for number in range(1, INSTANCES + 1):
            self.cluster.gnt("gnt-instance", "add", "-t", "sharedfile", "-s", f"{16 * number}M", "-B", f"memory={64 * number}M,vcpus=1",
                             "--no-install", "--no-start", "--no-name-check", "--no-ip-check", "--no-nics", "-o", "noop+default",
                             "-n", f"node{number % 2 + 1}", f"instance{number}")
        users = self.cluster.folder / "node1/var/lib/ganeti/rapi/users"
        users.parent.mkdir(exist_ok=True)
        users.write_text("admin secret write\n")
        users.chmod(0o644)

    def compare_luxi(self):
        for tool, words in (("hinfo", ["-p", "--print-instances"]), ("hbal", ["-C"]), ("hroller", ["--force"]), ("hsqueeze", [])):
            replay = Replay(self.socket)
            with servers.luxi(self.work / "replay.sock", replay.answer) as path:
                wanted = self.reference(tool, f"-L{path}", *words)
                replay.is_open = False
                done = self.ours(tool, f"-L{path}", "--ignore-storage", *words)
            (self.work / "replay.sock").unlink()
            same = (done.returncode, done.stdout, done.stderr) == (wanted.returncode, wanted.stdout, wanted.stderr)
            self.check(same, f"{tool} -L: the same requests and the same output as the reference", done.stdout + done.stderr)

    def compare_rapi(self):
        """Free memory changes from moment to moment: what the reference says twice, ours must say in between."""
        address = f"{NETWORK}.10"
        for tool in ("hinfo", "hbal"):
            for _ in range(TRIES):
                before = self.reference(tool, "-m", address)
                done = self.ours(tool, "-m", address)
                after = self.reference(tool, "-m", address)
                if (before.stdout, before.stderr) == (after.stdout, after.stderr):
                    break
            else:
                print(f"skipped: {tool} -m: the cluster's figures did not stand still for a moment")
                continue
            self.check((done.returncode, done.stdout, done.stderr) == (after.returncode, after.stdout, after.stderr),
                       f"{tool} -m: the same output as the reference", done.stdout + done.stderr)

    def snapshot(self, name):
        """Lines of nodes and instances as columns; free memory and disk change, and are left out."""
        _, nodes, instances, *_ = (self.work / name).read_text().split("\n\n")
        steady = [[c for i, c in enumerate(line.split("|")) if i not in (2, 3, 5, 15)] for line in nodes.splitlines()]
        return sorted(steady), sorted(instances.splitlines()), [line.split("|")[15:] for line in nodes.splitlines()]

    def compare_scans(self):
        address, url = f"{NETWORK}.10", f"https://admin:secret@{NETWORK}.10:5080"
        for words in ([], ["--storage"]):
            done = self.ours("hscan", f"-L{self.socket}", *words)
            self.check(done.returncode == 0, f"hscan -L {' '.join(words)}", done.stdout + done.stderr)
            done = self.ours("hscan", *words, url if words else address)
            self.check(done.returncode == 0, f"hscan {' '.join(words)} through the remote API", done.stdout + done.stderr)
            local, remote = self.snapshot("LOCAL.data"), self.snapshot((url.replace(":secret", "") if words else address).replace("/", "_") + ".data")
            self.check(local[:2] == remote[:2], "both snapshots are the same", f"{local}\n{remote}")
            told = [len(columns) for columns in local[2]]
            self.check(told == [1 if words else 0] * self.cluster.nodes, "nodes have their storage column exactly with --storage", str(told))
        self.check(all("sharedfile,/srv/ganeti/shared-file-storage" in line.split("|")[13] for line in local[1]),
                   "each disk has its unit", "\n".join(local[1]))
        done = self.ours("hinfo", "-t", "LOCAL.data")
        self.check("sharedfile//srv/ganeti/shared-file-storage" in done.stdout, "hinfo shows the units", done.stdout + done.stderr)

    def places(self):
        lines = self.cluster.gnt("gnt-instance", "list", "--no-headers", "--separator=:", "-o", "name,pnode").splitlines()
        return dict(line.split(":") for line in lines)

    def execute_plan(self):
        commands = self.work / "commands.sh"
        done = self.ours("hbal", f"-L{self.socket}", f"-C{commands}")
        steps = re.findall(r"^ +\d+\. (\S+) +\S+ +=> (\S+)", done.stdout, re.MULTILINE)
        promised = {**self.places(), **dict(steps)}
        scores = re.search(r"improved from (\S+) to (\S+)", done.stdout)
        self.check(done.returncode == 0 and len(steps) > 0 and scores is not None, f"hbal -L -C plans {len(steps)} steps",
                   done.stdout + done.stderr)
        self.check(self.places() != promised, "nothing has moved yet")
        self.cluster.inside(["node1/cmd", "bash", "-e", str(commands)], cwd=self.cluster.folder)
        self.check(self.places() == promised, "after the commands every instance is where the plan put it", str(self.places()))
        again = json.loads(self.ours("hbal", f"-L{self.socket}", "--json").stdout)
        text = self.ours("hbal", f"-L{self.socket}").stdout
        score = float(re.search(r"[Ii]nitial score: (\S+)|score (\S+)", text).group(1) or "nan")
        self.check(abs(score - float(scores[2])) < 0.01, f"the score is what the plan promised: {score}, {scores[2]}")
        self.check(again["kind"] == "plan" and not again["steps"], "and there is nothing left to do")

    def run(self):
        self.fill()
        self.compare_luxi()
        self.compare_rapi()
        self.compare_scans()
        self.execute_plan()


if __name__ == "__main__":
    sys.exit(test_on_cluster(INSTANCES, Live))

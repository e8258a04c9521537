# SPDX-License-Identifier: BSD-2-Clause
"""A real Ganeti (Debian package, fake hypervisor, virtual cluster mode) in a network namespace of this machine.

Everything that is started or changed is undone by close(): daemons by their process ids, the namespace, the folder, the plugin link."""
import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import time

NETWORK = "192.0.2"
PLUGIN = pathlib.Path("/usr/lib/ganeti/3.0/usr/lib/ganeti/iallocators/hail")
SETUP = pathlib.Path("/usr/lib/ganeti/tools/vcluster-setup")
NEEDED = ["ganeti", "openssh-server", "net-tools", "iproute2"]
LIMITS = ("min:disk-size=0,cpu-count=1,disk-count=0,memory-size=1,nic-count=0,spindle-use=0/"
          "max:disk-size=1048576,cpu-count=8,disk-count=16,memory-size=32768,nic-count=8,spindle-use=12")


class Unavailable(Exception):
    """Ganeti cannot be had here; the message says why."""


def call(words, **options):
    return subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False, **options)


def must(words, **options):
    done = call(words, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def install():
    if os.geteuid() != 0:
        raise Unavailable("needs root (network namespace, daemons)")
    if shutil.which("gnt-cluster", path=os.environ["PATH"] + ":/usr/sbin:/sbin") and shutil.which("sshd", path="/usr/sbin"):
        return
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *NEEDED]):
        done = call(words, env=environment)
        if done.returncode != 0:
            raise Unavailable("the Debian package ganeti cannot be installed: " + done.stderr.strip().splitlines()[-1:][0])


class GanetiCluster:
    def __init__(self, nodes=3, name="ballast-live", folder="/var/tmp/ballast-live"):
        self.nodes, self.name, self.folder = nodes, name, pathlib.Path(folder)
        os.environ["PATH"] += ":/usr/sbin:/sbin"

    def inside(self, words, **options):
        return must(["ip", "netns", "exec", self.name, *words], **options)

    def gnt(self, *words):
        """A command on the master node."""
        return self.inside(["node1/cmd", *words], cwd=self.folder)

    def open(self, instances):
        if self.folder.exists():
            self.close()
        self.folder.mkdir(parents=True)
        self.folder.chmod(0o755)
        self.make_network(instances)
        self.start_login()
        self.inside([SETUP, "-c", str(self.nodes), "-i", str(instances), "-p", NETWORK, "-n", "lo", "-N", "-E", self.folder],
                    cwd=self.folder)
        self.make_storage_folders()
        self.make_os()
        self.initialise()

    def make_network(self, instances):
        hosts = ["127.0.0.1 localhost", f"{NETWORK}.1 cluster"]
        hosts += [f"{NETWORK}.{9 + i} node{i}" for i in range(1, self.nodes + 1)]
        hosts += [f"{NETWORK}.{99 + i} instance{i}" for i in range(1, instances + 1)]
        own = pathlib.Path("/etc/netns") / self.name
        own.mkdir(parents=True, exist_ok=True)
        (own / "hosts").write_text("\n".join(hosts) + "\n")
        call(["ip", "netns", "add", self.name])
        self.inside(["ip", "link", "set", "lo", "up"])
        for i in range(1, self.nodes + 1):
            self.inside(["ip", "addr", "replace", f"{NETWORK}.{9 + i}/32", "dev", "lo"])
        self.inside(["ip", "route", "replace", f"{NETWORK}.0/24", "dev", "lo"])

    def start_login(self):
        """Adding a node logs in to it: a server of the namespace's own, with its own list of keys."""
        home = pathlib.Path.home() / ".ssh"
        home.mkdir(mode=0o700, exist_ok=True)
        pathlib.Path("/run/sshd").mkdir(exist_ok=True)
        if not (home / "id_rsa").exists():
            must(["ssh-keygen", "-q", "-t", "rsa", "-N", "", "-f", home / "id_rsa"])
        must(["ssh-keygen", "-q", "-t", "rsa", "-N", "", "-f", self.folder / "host_key"])
        shutil.copy(home / "id_rsa.pub", self.folder / "authorized_keys")
        self.inside(["/usr/sbin/sshd", "-h", self.folder / "host_key", "-o", f"PidFile={self.folder}/sshd.pid", "-o", "StrictModes=no",
                     "-o", "PermitRootLogin=yes", "-o", f"AuthorizedKeysFile={self.folder}/authorized_keys"])

    def make_storage_folders(self):
        for i in range(1, self.nodes + 1):
            root = self.folder / f"node{i}"
            names = ["/srv/ganeti/file-storage", "/srv/ganeti/shared-file-storage"]
            (root / "etc/ganeti/file-storage-paths").write_text("\n".join(names) + "\n")
            for name in names:
                (root / name.lstrip("/")).mkdir(parents=True, exist_ok=True)

    @staticmethod
    def make_os():
        system = pathlib.Path("/srv/ganeti/os/noop")
        system.mkdir(parents=True, exist_ok=True)
        for name, text in (("ganeti_api_version", "20\n"), ("variants.list", "default\n"), ("parameters.list", "")):
            (system / name).write_text(text)
        for name in ("create", "import", "export", "rename", "verify"):
            (system / name).write_text("#!/bin/sh\nexit 0\n")
            (system / name).chmod(0o755)

    def initialise(self):
        self.gnt("gnt-cluster", "init", "--no-etc-hosts", "--no-ssh-init", "--master-netdev=lo",
                 "--enabled-disk-templates=file,sharedfile,diskless", "--file-storage-dir=/srv/ganeti/file-storage",
                 "--shared-file-storage-dir=/srv/ganeti/shared-file-storage", "--enabled-hypervisors=fake",
                 f"--ipolicy-bounds-specs={LIMITS}", "cluster")
        self.gnt("gnt-cluster", "modify", "--default-iallocator=hail")
        for i in range(2, self.nodes + 1):
            self.gnt("gnt-node", "add", "--no-ssh-key-check", f"node{i}")

    def use_plugin(self, program):
        """From now on Ganeti calls `program` as hail; the packaged plugin waits beside it."""
        kept = PLUGIN.with_name("hail.packaged")
        if not kept.exists():
            PLUGIN.rename(kept)
        if PLUGIN.is_symlink() or PLUGIN.exists():
            PLUGIN.unlink()
        PLUGIN.symlink_to(program)

    def processes(self):
        listed = call(["ip", "netns", "pids", self.name]).stdout.split()
        return [int(pid) for pid in listed]

    def close(self):
        kept = PLUGIN.with_name("hail.packaged")
        if kept.exists():
            PLUGIN.unlink(missing_ok=True)
            kept.rename(PLUGIN)
        for sign in (signal.SIGTERM, signal.SIGKILL):
            for pid in self.processes():
                try:
                    os.kill(pid, sign)
                except ProcessLookupError:
                    pass
            time.sleep(1)
        call(["ip", "netns", "del", self.name])
        shutil.rmtree(pathlib.Path("/etc/netns") / self.name, ignore_errors=True)
        shutil.rmtree(self.folder, ignore_errors=True)


def test_on_cluster(instances, make_test):
    """Exit status of a live test: make_test(cluster, folder of our tools) gives what has run() and then `problems`. 77: no Ganeti here."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--keep", action="store_true", help="leave the cluster running")
    args = parser.parse_args()
    try:
        install()
    except Unavailable as why:
        print(f"skipped: {why}")
        return 77
    cluster = GanetiCluster()
    try:
        cluster.open(instances=instances)
        test = make_test(cluster, pathlib.Path(args.bin).absolute())
        test.run()
    finally:
        if not args.keep:
            cluster.close()
    print(f"{len(test.problems)} problems")
    return 1 if test.problems else 0

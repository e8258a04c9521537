#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""check_package.py BUILD_DIR: makes the Debian package, lets lintian read it, and installs and removes it in a root of its own.

The root first gets a package that owns the names of Ganeti's tools, as Ganeti's own does: both must be there together, the names must answer
with ours while the package is there, and with Ganeti's again when it is gone. Installation scripts run outside of a chroot (DPKG_ROOT).
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

TOOLS = ["hbal", "hcheck", "hinfo", "hroller", "hscan", "hspace", "hsqueeze"]
NAMES = [f"usr/bin/{tool}" for tool in TOOLS] + ["usr/lib/ganeti/iallocators/hail"]
PAGES = [f"usr/share/man/man1/{tool}.1.gz" for tool in [*TOOLS, "hail"]]


def run(*command, **how):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **how)
    if done.returncode != 0:
        sys.exit(f"check_package: {' '.join(str(word) for word in command)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Root:
    """A folder with a package database of its own."""

    def __init__(self, folder):
        self.folder = folder
        database = folder / "var/lib/dpkg"
        for name in ("info", "updates", "alternatives", "triggers"):
            (database / name).mkdir(parents=True)
        (folder / "etc/alternatives").mkdir(parents=True)
        (folder / "var/log").mkdir(parents=True)
        for name in ("status", "diversions", "available"):
            (database / name).touch()

    def dpkg(self, *words):
        run("dpkg", f"--root={self.folder}", "--force-script-chrootless", "--force-depends", "--force-not-root", *words)

    def real(self, name):
        """The file that a name leads to, links followed inside the root."""
        path = self.folder / name
        for _ in range(9):
            if not path.is_symlink():
                return path.relative_to(self.folder) if path.exists() else None
            target = os.readlink(path)
            path = pathlib.Path(os.path.normpath(self.folder / target[1:] if target.startswith("/") else path.parent / target))
        return None


def ganeti_package(folder):
    """A package whose files have the names of Ganeti's."""
    tree = folder / "ganeti"
    for name in NAMES + PAGES:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text("Ganeti's\n")
    (tree / "DEBIAN").mkdir()
    (tree / "DEBIAN/control").write_text("Package: ganeti-names\nVersion: 1\nArchitecture: all\nMaintainer: a <a@example.org>\nDescription: names\n")
    run("dpkg-deb", "--root-owner-group", "-b", tree, folder / "ganeti.deb")
    return folder / "ganeti.deb"


def owner_problems(root, is_ours, when):
    for name in NAMES + PAGES:
        real = root.real(name)
        ours = real is not None and "ballast" in str(real)
        if real is None or ours != is_ours:
            yield f"{when}: /{name} leads to {real}"


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    if not shutil.which("dpkg-shlibdeps"):
        print("no dpkg-dev here")
        return 77
    problems = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run("cpack", "-G", "DEB", "-B", folder, "--config", build / "CPackConfig.cmake", cwd=folder)
        (package,) = folder.glob("ballast_*.deb")
        if shutil.which("lintian"):
            problems += [line for line in run("lintian", "--fail-on", "none", package).splitlines() if line.startswith("E:")]
        root = Root(folder / "root")
        root.dpkg("-i", ganeti_package(folder))
        root.dpkg("-i", package)
        problems += owner_problems(root, True, "both installed")
        for tool in [*TOOLS, "hail", "hfdb", "htidb", "hplan"]:
            program = root.folder / (f"usr/lib/ballast/bin/{tool}" if tool in [*TOOLS, "hail"] else f"usr/bin/{tool}")
            said = run(program, "--version", env={})
            if not said.startswith(tool):
                problems.append(f"{tool} --version: {said[:60]!r}")
        root.dpkg("-r", "ballast")
        problems += owner_problems(root, False, "ours removed")
        left = [path for path in root.folder.rglob("*ballast*") if "var/lib/dpkg" not in str(path)]
        problems += [f"left behind: {path.relative_to(root.folder)}" for path in left]
    print("\n".join(problems) or f"{package.name}: installed beside Ganeti's names and removed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Types words and a tab into bash, zsh and fish, each with the completions of this project loaded, and looks at the line that comes out.

A shell that is not there is left out and named. Usage: run.py --bin DIR
"""
import argparse
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# what is typed -> what must stand on the line after the tab
LINES = {
    "hbal --print-ins": "--print-instances",
    "hspace --tiered": "--tiered-alloc",
    "hail --ignore-d": "--ignore-dynu",
    "hfdb ana": "hfdb analyze",
    "hfdb drain --condit": "--condition",
    "hplan resume --stri": "--strict",
    "htidb plan --format mark": "--format markdown",
    "hinfo --text-data=even": "even.data",
}
SETUP = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "bind 'set bell-style none'; source {root}/completions/ballast.bash"),
    "zsh": (["zsh", "-f", "-i"], "unsetopt beep; fpath=({root}/completions $fpath); autoload -Uz compinit; compinit -u -d {folder}/dump"),
}
ESCAPES = re.compile(r"\x1b\[[0-9;?>=]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>]|\x1b\][^\x07]*\x07|\r|\x07")


class Shell:
    """A shell on a terminal of its own, in a folder with one file."""

    def __init__(self, name, folder, bin_folder):
        command, setup = SETUP[name]
        env = {"PATH": f"{bin_folder}:{os.environ['PATH']}", "TERM": "dumb", "HOME": folder,
               "PS1": "> ", "LC_ALL": "C.UTF-8", "BALLAST_CONFIG": ""}
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, env)
        self.type(setup.format(root=ROOT, folder=folder) + "; echo re''ady\n")
        shown = ""
        while "ready" not in shown:
            shown += self.settle()

    def type(self, text):
        os.write(self.end, text.encode())

    def settle(self, quiet=0.7, longest=20):
        """What is written until nothing comes for a while."""
        text, deadline = b"", time.monotonic() + longest
        while time.monotonic() < deadline:
            if not select.select([self.end], [], [], quiet)[0]:
                break
            try:
                text += os.read(self.end, 65536)
            except OSError:
                break
        return ESCAPES.sub("", text.decode(errors="replace"))

    def after_tab(self, line):
        self.type(line)
        self.settle(0.3)
        self.type("\t")
        shown = self.settle()
        self.type("\x15")
        self.settle(0.3)
        return shown

    def close(self):
        os.close(self.end)
        os.waitpid(self.pid, 0)


def tools():
    return [line for line in re.search(r"^complete -F _ballast (.*)$", (ROOT / "completions/ballast.bash").read_text(), re.M)[1].split()]


def candidates_of_fish(folder, bin_folder, line):
    sources = "; ".join(f"source {folder}/{tool}.fish" for tool in tools())
    done = subprocess.run(["fish", "--no-config", "-c", f"{sources}; complete -C {line!r}"], capture_output=True, text=True, cwd=folder,
                          env={"PATH": f"{bin_folder}:{os.environ['PATH']}", "HOME": folder, "BALLAST_CONFIG": ""}, check=True, timeout=60)
    return done.stdout


def problems_of(name, folder, bin_folder):
    shell = None if name == "fish" else Shell(name, folder, bin_folder)
    for line, wanted in LINES.items():
        shown = candidates_of_fish(folder, bin_folder, line) if name == "fish" else line + shell.after_tab(line)
        if wanted.split()[-1] not in shown.replace("\n", ""):
            yield f"{name}: {line!r} and a tab: {wanted!r} expected, got {shown!r}"
    if shell:
        shell.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True, type=lambda text: pathlib.Path(text).resolve())
    bin_folder = parser.parse_args().bin
    problems, tried = [], []
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "even.data").write_text("")
        for tool in tools():
            shutil.copy(ROOT / "completions/ballast.fish", f"{folder}/{tool}.fish")
        for name in (*SETUP, "fish"):
            if not shutil.which(name):
                print(f"completions: no {name} here")
                continue
            tried.append(name)
            problems += problems_of(name, folder, bin_folder)
    print("\n".join(problems) or f"completions: {len(LINES)} lines in {', '.join(tried)}")
    sys.exit(1 if problems or not tried else 0)


if __name__ == "__main__":
    main()

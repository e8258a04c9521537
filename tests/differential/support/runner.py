# SPDX-License-Identifier: BSD-2-Clause
"""One case, run through both programs in folders of their own."""
import contextlib
import dataclasses
import difflib
import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile
import typing

TIME_LIMIT = 120
NICE = ["nice", "-n", "10"]


@dataclasses.dataclass
class Case:
    tool: str
    seed: int
    files: dict            # name -> Cluster-like object with render() -> bytes, or bytes
    words: list            # list of lists: one option (with its value) each, so that shrinking can drop them
    stdin: str = ""        # name of the file that is standard input
    merged: bool = False   # standard output and standard error go to one place
    ours_files: dict = dataclasses.field(default_factory=dict)  # name -> function of the file's object: what ours reads in its place
    ours_words: list = dataclasses.field(default_factory=list)  # options that only ours gets
    only_stdout: bool = False  # standard error and files may differ
    service: typing.Callable = contextlib.nullcontext  # of the case's folder: a context in which a server answers

    def arguments(self):
        return [word for option in self.words for word in option]

    def command(self):
        line = shlex.join([self.tool, *self.arguments()])
        if self.stdin:
            line += f" < {self.stdin}"
        return line + (" 2>&1" if self.merged else "")

    def contents(self):
        return {name: f if isinstance(f, bytes) else f.render() for name, f in self.files.items()}

    def for_ours(self):
        """The case as ours sees it."""
        mine = dataclasses.replace(self, words=self.words + self.ours_words, ours_files={}, ours_words=[])
        mine.files = {name: self.ours_files[name](f) if name in self.ours_files else f for name, f in self.files.items()}
        return mine


@dataclasses.dataclass
class Outcome:
    status: int
    stdout: bytes
    stderr: bytes
    written: dict          # name -> bytes of files that the program made or changed


class Pair:
    """The two programs, each by the tool's name; a context manager for the folder of links."""

    def __init__(self, reference, bin_folder):
        self.reference = reference
        self.bin_folder = bin_folder

    def __enter__(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="differential-")
        self.links = pathlib.Path(self.scratch.name) / "reference"
        self.links.mkdir()
        # A copy, so that a build in the meantime changes nothing.
        self.ours = pathlib.Path(self.scratch.name) / "ours"
        self.ours.mkdir()
        shutil.copy2(self.bin_folder / "htools", self.ours / "htools")
        for tool in ("hbal", "hail", "hspace", "hcheck", "hinfo", "hroller", "hsqueeze", "hscan"):
            (self.links / tool).symlink_to(self.reference)
            (self.ours / tool).symlink_to("htools")
        return self

    def __exit__(self, *_):
        self.scratch.cleanup()

    def run_reference(self, case):
        return execute(self.links / case.tool, case)

    def run(self, case):
        return self.run_reference(case), execute(self.ours / case.tool, case.for_ours())


def environment():
    env = {k: v for k, v in os.environ.items() if k not in ("HTOOLS", "GANETI_ROOTDIR", "GHCRTS")}
    env["LC_ALL"] = "C.UTF-8"
    return env


def execute(program, case):
    with tempfile.TemporaryDirectory(prefix="case-") as folder:
        work = pathlib.Path(folder)
        before = case.contents()
        for name, content in before.items():
            (work / name).write_bytes(content)
        with case.service(work), open(work / case.stdin if case.stdin else os.devnull, "rb") as stdin:
            try:
                done = subprocess.run([*NICE, str(program), *case.arguments()], cwd=work, env=environment(), stdin=stdin,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT if case.merged else subprocess.PIPE,
                                      timeout=TIME_LIMIT, check=False)
            except subprocess.TimeoutExpired:
                return Outcome(-1, b"", b"no end within the time limit\n", {})
        after = {p.name: p.read_bytes() for p in work.iterdir() if p.is_file()}
        written = {name: content for name, content in after.items() if before.get(name) != content}
        return Outcome(done.returncode, done.stdout, done.stderr or b"", written)


def text_difference(name, reference, ours):
    lines = difflib.unified_diff(reference.decode("utf-8", "backslashreplace").splitlines(),
                                 ours.decode("utf-8", "backslashreplace").splitlines(),
                                 f"{name} of the reference", f"{name} of ours", lineterm="", n=1)
    return "\n".join(list(lines)[:40]) or f"{name}: only line ends or the final newline differ"


def compare(case, reference, ours):
    """None where both agree, else a text."""
    found = []
    if reference.status != ours.status:
        found.append(f"exit status {reference.status} of the reference, {ours.status} of ours")
    if reference.stdout != ours.stdout and not (case.merged and reference.status == ours.status == 2):
        found.append(text_difference("stdout", reference.stdout, ours.stdout))
    is_usage = reference.status == 2 and ours.status == 2
    if case.only_stdout:
        return "\n".join(found) or None
    if reference.stderr != ours.stderr and not is_usage:
        found.append(text_difference("stderr", reference.stderr, ours.stderr))
    for name in sorted(set(reference.written) | set(ours.written)):
        if reference.written.get(name) != ours.written.get(name):
            found.append(text_difference(f"file {name}", reference.written.get(name, b"(not written)"),
                                         ours.written.get(name, b"(not written)")))
    return "\n".join(found) or None

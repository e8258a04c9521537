#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Golden cases: a command and the exact bytes it must give.

tests/golden/TOOL/CASE/ holds `cmd` (shell line; the tools are on PATH, the current folder is a scratch copy of the case) and inputs
(one that several cases of a tool read stands in tests/golden/TOOL/inputs, and each case links to it);
`stdout` (absent: must be empty), `stderr` (absent: must be empty), `exit` (absent: 0), `want/NAME` (a file that must exist afterwards with these bytes).
A line `# needs: shared` in cmd skips the case where other projects' sample data is absent ($BALLAST_SHARED points there).
Usage: golden.py --bin DIR [--update] [TOOL[/CASE] ...]
"""
import argparse
import difflib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden"
RESULTS = {"cmd", "stdout", "stderr", "exit", "want"}
TIMEOUT = 600  # builds with sanitizers, on busy machines


def shared_folder():
    folder = pathlib.Path(os.environ.get("BALLAST_SHARED") or ROOT.parent / "shared")
    return folder if folder.is_dir() else None


def environment(bin_folder):
    env = {k: v for k, v in os.environ.items() if k not in ("HTOOLS", "NO_COLOR", "GANETI_ROOTDIR")}
    env["PATH"] = f"{bin_folder}:{env['PATH']}"
    env["LC_ALL"] = "C.UTF-8"
    env["BALLAST_DATA"] = str(ROOT / "data")
    env["BALLAST_CONFIG"] = ""  # no options of this machine
    shared = shared_folder()
    if shared:
        env["BALLAST_SHARED"] = str(shared)
    return env


def execute(case, bin_folder):
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(scratch) / "case"
        shutil.copytree(case, work, ignore=lambda folder, names: RESULTS & set(names) if folder == str(case) else [])
        done = subprocess.run(["bash", str(case / "cmd")], cwd=work, env=environment(bin_folder), stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=TIMEOUT, check=False)
        got = {"stdout": done.stdout, "stderr": done.stderr, "exit": f"{done.returncode}\n".encode()}
        want = case / "want"
        for name in sorted(p.name for p in want.iterdir()) if want.is_dir() else []:
            produced = work / name
            got[f"want/{name}"] = produced.read_bytes() if produced.is_file() else b"(no such file)\n"
        return got


def expected(case, name):
    path = case / name
    if path.is_file():
        return path.read_bytes()
    return b"0\n" if name == "exit" else b""


def difference(name, want, got):
    lines = difflib.unified_diff(want.decode("utf-8", "backslashreplace").splitlines(),
                                 got.decode("utf-8", "backslashreplace").splitlines(),
                                 f"expected {name}", f"got {name}", lineterm="")
    return "\n".join(list(lines)[:60]) or f"{name}: only line ends or a final newline differ"


def update(case, got):
    for name, content in got.items():
        path = case / name
        if content != (b"0\n" if name == "exit" else b""):
            path.write_bytes(content)
        elif path.exists():
            path.unlink()


def check(case, args):
    if "# needs: shared" in (case / "cmd").read_text() and not shared_folder():
        return "skipped", ""
    try:
        got = execute(case, args.bin)
    except subprocess.TimeoutExpired:
        return "failed", f"no end after {TIMEOUT} s"
    if args.update:
        update(case, got)
        return "passed", ""
    wrong = [difference(name, expected(case, name), content) for name, content in got.items() if expected(case, name) != content]
    return ("failed", "\n".join(wrong)) if wrong else ("passed", "")


def selected(names):
    cases = sorted(p.parent for p in GOLDEN.glob("*/*/cmd"))
    if not names:
        return cases
    exact = {n for n in names if (GOLDEN / n / "cmd").is_file()}

    def is_meant(case):
        name = case.relative_to(GOLDEN).as_posix()
        return name in exact or any(name.startswith(n if "/" in n else n + "/") for n in names if n not in exact)

    return [c for c in cases if is_meant(c)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=lambda p: str(pathlib.Path(p).resolve()), required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    cases = selected(args.names)
    count = {"passed": 0, "failed": 0, "skipped": 0}
    failures = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, (verdict, text) in zip(cases, pool.map(lambda c: check(c, args), cases)):
            count[verdict] += 1
            if verdict == "failed":
                failures.append((case.relative_to(GOLDEN).as_posix(), text))
    if failures:
        print(f"failed: {' '.join(name for name, _ in failures)}\n")  # first: a report may be cut off
    for name, text in failures:
        print(f"--- {name}\n{text}\n")
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    if not cases:
        print("no such case")
        return 1
    return 1 if count["failed"] else (77 if count["skipped"] and not count["passed"] else 0)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""embed.py BUILD_DIR: installs into an empty folder, builds examples/embed against that alone, and runs it: it must find hbal's steps."""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SNAPSHOT = ROOT / "data/ganeti/office.data"


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    cache = (build / "CMakeCache.txt").read_text()
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.M).group(1)
    flags = [f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_BUILD_TYPE=Debug"]
    if sanitize := re.search(r"^BALLAST_SANITIZE:\w+=(.+)$", cache, re.M):
        flags.append(f"-DCMAKE_CXX_FLAGS=-fsanitize={sanitize.group(1)}")
    with tempfile.TemporaryDirectory() as folder:
        prefix = pathlib.Path(folder) / "prefix"
        example = pathlib.Path(folder) / "example"
        run("cmake", "--install", build, "--prefix", prefix, "--component", "Development")
        run("cmake", "-S", ROOT / "examples/embed", "-B", example, f"-DCMAKE_PREFIX_PATH={prefix}", *flags)
        run("cmake", "--build", example)
        said = run(example / "embed", SNAPSHOT)
    steps = [line.split()[-1] for line in said.splitlines() if re.match(r"\d+\. ", line)]
    listed = run(build / "bin/hbal", "-t", SNAPSHOT, "--min-disk=0")
    wanted = [line.split()[1] for line in listed.splitlines() if re.match(r"\s+\d+\. ", line)]
    if not steps or [name.split(".")[0] for name in steps] != [name.split(".")[0] for name in wanted]:
        print(f"the example finds {steps}, hbal {wanted}\n{said}")
        return 1
    print(f"built against the installation, {len(steps)} steps as hbal has them")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""check_install.py BUILD_DIR: installs into an empty folder, as the README says, and asks each installed program for its version.

Each program needs its manual page and its completion beside it, and runs without the build tree's folder in reach.
"""
import pathlib
import subprocess
import sys
import tempfile


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    missing = []
    with tempfile.TemporaryDirectory() as prefix:
        subprocess.run(["cmake", "--install", build, "--prefix", prefix, "--strip"], stdout=subprocess.DEVNULL, check=True)
        installed = pathlib.Path(prefix)
        tools = sorted(file.name for file in (installed / "bin").iterdir() if file.name != "htools")
        for tool in tools:
            said = subprocess.run([installed / "bin" / tool, "--version"], capture_output=True, cwd=prefix, env={}, check=False)
            if said.returncode != 0 or not said.stdout.startswith(tool.encode()):
                missing.append(f"{tool} --version: status {said.returncode}, {said.stdout[:60]!r}")
            for file in [f"share/man/man1/{tool}.1", f"share/bash-completion/completions/{tool}"]:
                if not (installed / file).is_file():
                    missing.append(file)
    for line in missing:
        print(line)
    print(f"{len(tools)} programs installed")
    return 1 if missing or not tools else 0


if __name__ == "__main__":
    sys.exit(main())

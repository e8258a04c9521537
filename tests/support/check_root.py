#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What lies at the root is meant to lie there: a script that takes an option for a folder's name leaves one called --help."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPECTED = {".ci", ".clang-format", ".clang-tidy", ".github", ".gitignore", "ARCHITECTURE.md", "CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json",
            "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md", "cmake", "completions", "data", "docs", "examples", "include", "man", "scripts", "src", "tests"}


def main():
    if not (ROOT / ".git").exists():
        print("no checkout: nothing is tracked here")
        return 77
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, check=True, text=True).stdout.split("\0")
    problems = {name.split("/")[0] for name in listed if name} - EXPECTED
    problems |= {name for name in listed if any(part.startswith("-") for part in name.split("/"))}
    print("\n".join(f"{name}: not expected here; new entries of the root are listed in {pathlib.Path(__file__).name}" for name in sorted(problems))
          or f"{len(listed) - 1} tracked files")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

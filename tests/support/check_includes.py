#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Holds every #include against the allowed direction of dependencies (the table of src/CMakeLists.txt, which is also the linker's), and
finds headers under include/ that only their own folder uses: such ones stand in src. The folders are those of ARCHITECTURE.md."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

LIBRARY = re.compile(r"^ballast_library\((\w+)\s+([\w/]+)\s+([^)]*)\)", re.M)
BUNDLE = re.compile(r"^ballast_bundle\((\w+)\s+([^)]*)\)", re.M)


def read_table():
    """The table of src/CMakeLists.txt: folder -> the folders that it may include, and the outside libraries that it links itself."""
    text = (ROOT / "src/CMakeLists.txt").read_text()
    rows = {f"ballast_{name}": (folder, words.split()) for name, folder, words in LIBRARY.findall(text)}
    bundles = {f"ballast_{name}": words.split() for name, words in BUNDLE.findall(text)}

    def reached(words):
        folders = set()
        for word in words:
            if word in rows:
                folders |= {rows[word][0]} | reached(rows[word][1])
            elif word in bundles:
                folders |= reached(bundles[word])
        return folders

    allowed = {folder: reached(words) for folder, words in rows.values()}
    outside = {folder: set(words) for folder, words in rows.values()}
    return allowed, outside


ALLOWED, LINKED = read_table()

# header of an outside library -> what a folder has to link itself to use it
OUTSIDE = {"nlohmann/": "nlohmann_json::nlohmann_json", "yaml-cpp/": "yaml-cpp", "curl/": "CURL::libcurl"}
# header -> folders that may use it
STREAMS = {"iostream": {"cli"}, "fstream": set()}
# A search neither prints nor reads.
NO_STREAMS = {"cstdio", "iostream", "fstream", "ostream", "print"}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def folder_of(header):
    return pathlib.PurePosixPath(header).parent.as_posix()


def problems_of(path, folder):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        target = match.group(1)
        where = f"{path.relative_to(ROOT)}:{number}"
        if target.startswith("ballast/"):
            used = folder_of(target.removeprefix("ballast/"))
            if used != folder and used not in ALLOWED[folder]:
                yield f"{where}: {folder} may not include {used} ({target})"
        elif '"' in line and "/" in target:
            yield f"{where}: {target} is private to its folder"
        for prefix, library in OUTSIDE.items():
            if target.startswith(prefix) and library not in LINKED[folder]:
                yield f"{where}: {folder} may not include <{target}>"
        if folder not in STREAMS.get(target, {folder}):
            yield f"{where}: {folder} may not include <{target}>"
        if "search" in folder.split("/") and target in NO_STREAMS:
            yield f"{where}: a search may not include <{target}>"


def users_of_headers():
    """Public header -> the files that include it."""
    users = {}
    for top in ("include", "src", "tests", "examples"):
        for path in (ROOT / top).rglob("*.[ch]pp"):
            for line in path.read_text().splitlines():
                match = INCLUDE.match(line)
                if match and match.group(1).startswith("ballast/"):
                    users.setdefault(match.group(1), set()).add(path.relative_to(ROOT).as_posix())
    return users


def private_headers():
    """Headers under include/ that no other folder reaches, neither itself nor by a public header of its folder."""
    users = users_of_headers()
    public = [path.relative_to(ROOT / "include").as_posix() for path in (ROOT / "include").rglob("*.hpp")]
    private = set()

    def is_at_home(user, header):
        return folder_of(user) == f"src/{folder_of(header).removeprefix('ballast/')}" or user.removeprefix("include/") in private

    count = -1
    while count != len(private):
        count = len(private)
        private |= {header for header in public if all(is_at_home(user, header) for user in users.get(header, ()))}
    return sorted(private)


def told_folders():
    """The first column of ARCHITECTURE.md's table of folders, {a,b} taken apart."""
    told = set()
    for cell in re.findall(r"^\| `([^`]+)`", (ROOT / "ARCHITECTURE.md").read_text().split("\n## ")[1], re.M):
        before, _, rest = cell.partition("{")
        inside, _, after = rest.partition("}")
        told |= {before + one + after for one in inside.split(",")}
    return told - {"src/tools"}


def main():
    problems = [f"include/{header}: only its own folder uses it: it belongs in src" for header in private_headers()]
    problems += [f"ARCHITECTURE.md: {folder} stands there or in src/CMakeLists.txt alone" for folder in sorted(told_folders() ^ set(ALLOWED))]
    files = 0
    for top in ("include/ballast", "src"):
        for path in sorted((ROOT / top).rglob("*.[ch]pp")):
            folder = folder_of(path.relative_to(ROOT / top).as_posix())
            if folder == "tools":
                continue
            if folder not in ALLOWED:
                problems.append(f"{path.relative_to(ROOT)}: the table of src/CMakeLists.txt has no line for {folder}")
                continue
            files += 1
            problems.extend(problems_of(path, folder))
    print("\n".join(problems) or f"{files} files, every include goes the allowed way")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main())

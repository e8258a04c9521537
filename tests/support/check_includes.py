#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Holds every #include against the allowed direction of dependencies (the table in src/CMakeLists.txt says the same to the linker)."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# area -> areas it may include, besides itself
ALLOWED = {
    "core": set(),
    "plan": {"core"},
    "report": {"core", "plan"},
    "cli": {"core", "plan", "report"},
    "kube": {"core"},
    "ganeti/model": {"core"},
    "ganeti/backend": {"core", "ganeti/model"},
    "ganeti/score": {"core", "ganeti/model"},
    "ganeti/search": {"core", "plan", "ganeti/model", "ganeti/score"},
    "ganeti/cli": {"core", "plan", "report", "cli", "ganeti/model", "ganeti/backend", "ganeti/score", "ganeti/search"},
}
ALLOWED["fdb/cli"] = {"core", "plan", "report", "cli", "kube", "fdb/model", "fdb/backend", "fdb/search"}
for system in ("fdb", "tidb"):
    ALLOWED[f"{system}/model"] = {"core", "kube"}
    ALLOWED[f"{system}/backend"] = {"core", "kube", f"{system}/model"}
    ALLOWED[f"{system}/search"] = {"core", "plan", "kube", f"{system}/model"}
ALLOWED["tidb/cli"] = {"core", "plan", "report", "cli", "kube", "tidb/model", "tidb/backend", "tidb/search"}

# outside header -> areas that may use it (None: everyone)
OUTSIDE = {
    "nlohmann/": {"report", "kube", "ganeti/backend", "fdb/backend", "tidb/backend"},
    "yaml-cpp/": {"kube"},
    "curl/": {"ganeti/backend"},
    "iostream": {"cli"},
    "fstream": set(),
}
# A search neither prints nor reads.
NO_STREAMS = {"cstdio", "iostream", "fstream", "ostream", "print"}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def area_of(relative):
    parts = pathlib.PurePosixPath(relative).parts
    if parts[0] in ("ganeti", "fdb", "tidb"):
        return "/".join(parts[:2])
    return parts[0]


def problems_of(path, area):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        target = match.group(1)
        where = f"{path.relative_to(ROOT)}:{number}"
        if target.startswith("ballast/"):
            used = area_of(target.removeprefix("ballast/"))
            if used != area and used not in ALLOWED[area]:
                yield f"{where}: {area} may not include {used} ({target})"
        for prefix, areas in OUTSIDE.items():
            if target.startswith(prefix) and area not in areas:
                yield f"{where}: {area} may not include <{target}>"
        if area.endswith("/search") and target in NO_STREAMS:
            yield f"{where}: a search may not include <{target}>"


def main():
    problems = []
    files = 0
    for top in ("include/ballast", "src"):
        for path in sorted((ROOT / top).rglob("*.[ch]pp")):
            area = area_of(path.relative_to(ROOT / top).as_posix())
            if area == "tools":
                continue
            if area not in ALLOWED:
                problems.append(f"{path.relative_to(ROOT)}: no such area: {area}")
                continue
            files += 1
            problems.extend(problems_of(path, area))
    print("\n".join(problems) or f"{files} files, every include goes the allowed way")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main())

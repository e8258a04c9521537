#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Two classes of one name in one namespace: the linker takes the members of either for both, and says nothing. And no file's name repeats
that of its folder."""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPENING = re.compile(r"^(?:inline )?namespace (?:([\w:]+) )?\{")
CLOSING = re.compile(r"^\}  // namespace")
CLASS = re.compile(r"^(?:class|struct|enum class|enum) (\w+(?:::\w+)?)\b[^;(]*\{")
HIDDEN = "(hidden)"


def classes_of(path):
    spaces = []
    for line in path.read_text().splitlines():
        if opening := OPENING.match(line):
            spaces.append(opening.group(1) or HIDDEN)
        elif CLOSING.match(line) and spaces:
            spaces.pop()
        elif (found := CLASS.match(line)) and HIDDEN not in spaces:
            yield "::".join([*spaces, found.group(1)])


def main():
    places = collections.defaultdict(list)
    problems = []
    for top in ("include/ballast", "src"):
        for path in sorted((ROOT / top).rglob("*.[ch]pp")):
            if path.name.startswith(path.parent.name + "_"):
                problems.append(f"{path.relative_to(ROOT)}: repeats the name of its folder")
            for name in classes_of(path):
                places[name].append(path.relative_to(ROOT).as_posix())
    problems += [f"{name}: in {' and '.join(paths)}" for name, paths in sorted(places.items()) if len(paths) > 1]
    print("\n".join(problems) or f"{len(places)} classes, each name once")
    return 1 if problems or not places else 0


if __name__ == "__main__":
    sys.exit(main())

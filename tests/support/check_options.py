#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""check_options.py --bin DIR [TOOL...]: each option that a Ganeti tool's --help lists is used by one of its golden cases.

Unique prefixes, attached values and joined short options count. Exit status: 0 all are used, 1 some are not (they are listed).
"""
import argparse
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ["hail", "hbal", "hcheck", "hinfo", "hroller", "hscan", "hspace", "hsqueeze"]
SEPARATORS = {"|", "||", "&&", ";", "&", ">", ">>", "<", "2>", ")", "(", "}", "{"}
LINE = re.compile(r"^  (?:-(?P<short>\w)(?P<value>[ \[]\S+)?)?\s*(?:--(?P<long>[\w-]+)\S*)?(?:\s|$)")


class Option:
    def __init__(self, match):
        self.short, self.long = match["short"], match["long"]
        self.takes_value = bool(match["value"])

    def name(self):
        return f"--{self.long}" if self.long else f"-{self.short}"


def options_of(tool, folder):
    text = subprocess.run([folder / tool, "--help"], capture_output=True, text=True, check=True).stdout
    matches = (LINE.match(line) for line in text.splitlines())
    return [Option(m) for m in matches if m and (m["short"] or m["long"])]


def word_lists(tool, script):
    """The arguments of each call of the tool in a shell script."""
    for line in script.replace("\\\n", " ").splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>()")
        lexer.whitespace_split = True
        try:
            tokens = list(lexer)
        except ValueError:
            tokens = line.split()
        words = None
        for token in tokens:
            if token in SEPARATORS:
                words = None
            elif words is not None:
                words.append(token)
            elif token.rsplit("/", 1)[-1] == tool:
                words = []
                yield words


def used_by(words, options):
    """The options among the words."""
    by_short = {o.short: o for o in options if o.short}
    for word in words:
        if word.startswith("--"):
            long = word[2:].split("=", 1)[0]
            exact = [o for o in options if o.long == long]
            yield from exact or [o for o in options if long and o.long and o.long.startswith(long)][:1]
        elif word.startswith("-"):
            for letter in word[1:]:
                if letter not in by_short:
                    break
                yield by_short[letter]
                if by_short[letter].takes_value:
                    break


def unused_options(tool, folder):
    options = options_of(tool, folder)
    if not options:
        sys.exit(f"check_options: {tool} --help lists no options")
    used = set()
    for script in sorted((ROOT / "tests" / "golden" / tool).glob("*/cmd")):
        calls = list(word_lists(tool, script.read_text()))
        used.update(o for words in calls for o in used_by(words, options))
    return [o for o in options if o not in used]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("tools", nargs="*", default=TOOLS)
    args = parser.parse_args()
    folder = args.bin.resolve()
    missing = {tool: unused_options(tool, folder) for tool in args.tools}
    for tool, options in missing.items():
        for option in options:
            print(f"{tool}: no golden case uses {option.name()}")
    return 1 if any(missing.values()) else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: BSD-2-Clause
"""Makes a failing case small: fewer options, fewer lines, simpler fields, as long as it still fails."""
import copy

ROUNDS = 6


def without(items, start, count):
    return items[:start] + items[start + count:]


def shrink_list(items, build, fails):
    """The shortest list found for which build(list) still fails: halves first, then single items."""
    size = max(1, len(items) // 2)
    while size >= 1:
        start = 0
        while start < len(items):
            shorter = without(items, start, size)
            if fails(build(shorter)):
                items = shorter
            else:
                start += size
        size //= 2
    return items


def with_words(case, words):
    smaller = copy.copy(case)
    smaller.words = words
    return smaller


def with_file(case, name, content):
    smaller = copy.copy(case)
    smaller.files = {**case.files, name: content}
    return smaller


def shrink_file(case, name, fails):
    content = case.files[name]
    if isinstance(content, bytes):
        lines = content.splitlines(keepends=True)
        if len(lines) > 400:
            return case
        kept = shrink_list(lines, lambda ls: with_file(case, name, b"".join(ls)), fails)
        return with_file(case, name, b"".join(kept))
    for smaller in content.smaller():
        candidate = with_file(case, name, smaller)
        if fails(candidate):
            return shrink_file(candidate, name, fails)
    return case


def shrink(case, fails):
    for _ in range(ROUNDS):
        before = (case.words, case.contents())
        fixed = [option for option in case.words if option[0] in ("-t", "-I", "-m", "-Lluxi.sock") or option[0].startswith("file://.")]
        loose = [option for option in case.words if option not in fixed]
        loose = shrink_list(loose, lambda words: with_words(case, fixed + words), fails)
        case = with_words(case, fixed + loose) if fails(with_words(case, fixed + loose)) else case
        for name in list(case.files):
            case = shrink_file(case, name, fails)
        if before == (case.words, case.contents()):
            break
    return case

# SPDX-License-Identifier: BSD-2-Clause
"""The short form of a recorded scenario.

Pods, claims, processes and process groups of one class are alike but for a few words. A list of such items is kept as
{"like": [template, ...], "rows": [[number of the template, word, ...], ...]}: in the texts of the template "{0}" stands for the row's first word,
"{1}" for the second, and so on. A mapping of such items has the key of each as the last word of its row and "keyed": true."""
import copy


def filled(value, words):
    """`value` with the words in the places of its texts, keys included."""
    if isinstance(value, str):
        for number, word in enumerate(words):
            value = value.replace("{%d}" % number, word)
        return value
    if isinstance(value, list):
        return [filled(item, words) for item in value]
    if isinstance(value, dict):
        return {filled(key, words): filled(item, words) for key, item in value.items()}
    return value


def full(value):
    """The record with every short list written out."""
    if isinstance(value, list):
        return [full(item) for item in value]
    if not isinstance(value, dict):
        return value
    if set(value) - {"keyed"} != {"like", "rows"}:
        return {key: full(item) for key, item in value.items()}
    items = [filled(copy.deepcopy(value["like"][row[0]]), row[1:]) for row in value["rows"]]
    return dict(zip((row[-1] for row in value["rows"]), items)) if value.get("keyed") else items

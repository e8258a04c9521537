#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The metrics of the score stand in one table: no other file knows a metric by number, a weight, or the name of one.

The types hold most of it (PerMetric takes a MetricId, never a number); this looks for the ways around them, and holds ballast-score(7) against
the table. It first tries its own rules on lines that must be found, and on lines that must not."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "include/ballast/ganeti/metrics/table.hpp"
PAGE = ROOT / "man/ballast-score.7"
PLACES = ("include/ballast/ganeti", "include/ballast/report", "include/ballast/cli", "src/ganeti", "src/report", "src/cli", "src/tools")

ROW = re.compile(r'\.id = MetricId::(\w+),\s*\.name = "(\w+)",\s*\.weight = ([\d.]+),')
UNIT_NAME = re.compile(r'\.unit_name = "(\w+)"')
ENUM = re.compile(r"enum class MetricId : std::uint8_t \{(.*?)\};", re.S)

NUMBER = r"\d+(?:\.\d+)?"
# A figure for a thing that has a weight in the table.
WEIGHTED = r"\w*(?:[Ww]eight|OfflineAll|OfflinePrimary|Reserved(?:Sum|Total|Mem|Price)?|Failing|Tags|Location|LocationExclusion)"
RULES = [
    ("a metric by number", re.compile(rf"(?:static_cast<MetricId>\(|MetricId[{{(]\s*\d)")),
    ("a metric by number", re.compile(r"\b(?:kMetricIds|kMetrics|items|metrics|values)\[\d+\]")),
    ("a metric by number", re.compile(rf"\bk\w*Metric\w*\s*(?:=|\{{)\s*{NUMBER}")),
    ("a weight", re.compile(rf"\bconstexpr double k{WEIGHTED}\s*(?:=|\{{)\s*{NUMBER}")),
    ("a weight", re.compile(rf"\bweight\w*\s*(?:=|==|\()\s*(?!0(?:\.0*)?\s*[;,)}}])-?{NUMBER}")),
    ("the weight of reserved memory", re.compile(r"(?<![\d.])0?\.25\b")),
    ("the weights of offline nodes", re.compile(r"(?<![\w.])(?:16|4) \* static_cast<double>\(\w+\.(?:primaries|attached|residents)")),
]
# Constants that are no weights, though called like one.
NOT_METRICS = {"src/ganeti/search/improve/end_state.cpp": {"kFailingShare"}}

MUST_FIND = ["auto m = static_cast<MetricId>(3);", "detail.values[14]", "kMetrics[1].weight", "constexpr std::size_t kDiskMetric = 1;",
             "constexpr double kOfflinePrimary = 16;", "inline constexpr double kReservedPrice = 0.25;", "return 0.25 * (a - b);", "d.weight = 0.5;",
             "double least = 16 * static_cast<double>(counts.primaries_that_stay)", 'row.name == "free_disk_cv"', "constexpr double kTags = 2;"]
MUST_PASS = ["values[MetricId::FreeDisk]", "for (const MetricId k : kMetricIds)", "double weight = 0;  ///< in the score", "constexpr double kBeyond = 0.5;",
             "kMetrics[k].weight * value", "constexpr double kTags = weight_of(MetricId::ExclusionTags);", "lanes[0] + lanes[1]"]


def read_table():
    text = TABLE.read_text()
    rows = ROW.findall(text)
    enum = [word.strip() for word in ENUM.search(text).group(1).split(",") if word.strip()]
    names = {name: float(weight) for _, name, weight in rows}
    # A unit's name has the weight of the row that it stands in.
    units = {unit: names[re.findall(r'\.name = "(\w+)"', text[: match.start()])[-1]] for match in UNIT_NAME.finditer(text) for unit in [match[1]]}
    return rows, enum, names, units


def faults_of(line, names):
    code = line.split("//")[0]
    for what, rule in RULES:
        if rule.search(code):
            yield what
    for name in names:
        if f'"{name}"' in code:
            yield f"the name of {name}"


def try_rules(names):
    for line in MUST_FIND:
        if not list(faults_of(line, names)):
            yield f"this check has gone blind: it does not find {line!r}"
    for line in MUST_PASS:
        for what in faults_of(line, names):
            yield f"this check sees {what} in {line!r}"


def page_weights():
    """name -> weight as ballast-score(7) says it: `.It Li a , b No (0.5 each)`."""
    weights = {}
    for line in PAGE.read_text().splitlines():
        match = re.match(r"\.It Li (.+?) No \((?:weight )?([\d.]+)(?: each)?\)", line)
        if match:
            weights.update({name: float(match.group(2)) for name in re.findall(r"\w+", match.group(1))})
    return weights


def main():
    rows, enum, names, unit_names = read_table()
    problems = list(try_rules(list(names)))
    if [row[0] for row in rows] != enum or len(set(names)) != len(enum):
        problems.append(f"{TABLE.name}: rows and MetricId differ")
    if page_weights() != names | unit_names:
        odd = sorted(set(page_weights().items()) ^ set((names | unit_names).items()))
        problems.append(f"{PAGE.name} and {TABLE.name} differ in {odd}")
    files = 0
    for place in PLACES:
        for path in sorted((ROOT / place).rglob("*.[ch]pp")):
            if path == TABLE:
                continue
            files += 1
            where = path.relative_to(ROOT).as_posix()
            text = path.read_text()
            if not re.search("Metric|ScoreDetail", text):
                text = re.sub(r"\b(values|items)\[", "others[", text)  # of something else
            for number, line in enumerate(text.splitlines(), 1):
                if any(word in line for word in NOT_METRICS.get(where, ())):
                    continue
                problems += [f"{where}:{number}: {what} belongs into {TABLE.name}" for what in faults_of(line, [*names, *unit_names])]
    print("\n".join(problems) or f"{files} files know the {len(names)} metrics by their MetricId only")
    return 1 if problems or files < 100 else 0


if __name__ == "__main__":
    sys.exit(main())

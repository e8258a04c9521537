#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The exit status of each tool for each kind of wrong call, against the one table of the README.

0 done; 1 bad input, and what the reference refuses of its own options; 2 wrong usage, which is 1 with --detailed-exit-code, where 2 means that there
is something to do; 3 blocked. Wrong usage is also told before any input is read: each call names inputs that are not there.
Usage: exit_statuses.py --bin DIR
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
OFFICE, GANETI = ROOT / "data/ganeti/office.data", ROOT / "data/ganeti"
FDB, TIDB = ROOT / "data/fdb/density", ROOT / "data/tidb/examples"
NOW = ["--now", "2026-03-01T12:00:00Z"]
FORMS = {
    "hbal": "text brief json shell markdown html", "hail": "json", "hspace": "text brief json markdown html",
    "hcheck": "text brief json markdown html", "hinfo": "text brief json markdown html", "hscan": "text brief json markdown html",
    "hroller": "text brief json shell markdown html", "hsqueeze": "text brief json shell markdown html",
    "hfdb": "text brief json shell markdown html", "htidb": "text brief json shell markdown html", "hplan": "text brief json shell markdown html",
}
DETAILED = ("hbal", "hail", "hcheck", "hroller", "hsqueeze", "hfdb", "htidb", "hplan")
# What the good calls come to with --detailed-exit-code: the office has a node to reboot whose instance cannot leave, no room for the new
# instance, and no node to switch off.
ANSWERED = {"hbal": 2, "hail": 3, "hroller": 3, "hsqueeze": 0, "hfdb": 2, "htidb": 2}
LIVE = ("hbal", "hail", "hspace", "hcheck", "hinfo", "hroller", "hsqueeze", "hscan")


def good_calls(plan):
    """A call that is answered, without its form."""
    calls = {tool: ["-t", OFFICE] for tool in ("hbal", "hspace", "hcheck", "hinfo", "hsqueeze")}
    calls["hcheck"] += ["--no-simulation"]
    calls["hroller"] = ["-t", OFFICE, "--ignore-non-redundant"]
    calls["hail"] = ["-t", OFFICE, GANETI / "new-instance.json"]
    calls["hscan"] = [f"file://{GANETI / 'saved-answers'}"]
    calls["hfdb"] = ["plan", "--current", FDB / "cluster.yaml", "--kube", FDB / "pods.json", "--status", FDB / "status.json", "--set", "storageServersPerPod=2",
                     *NOW]
    calls["htidb"] = ["plan", "--current", TIDB / "09-current.yaml", "--desired", TIDB / "09-desired.yaml", *NOW]
    calls["hplan"] = ["show", plan]
    return calls


def missing_input(tool):
    if tool in ("hfdb", "htidb"):
        return ["plan", "--current", "/no/such/file"]
    return {"hplan": ["show", "/no/such/file"], "hail": ["/no/such/file"], "hscan": ["file:///no/such/folder"]}.get(tool, ["-t", "/no/such/file"])


class Table:
    def __init__(self, bin_folder, folder):
        self.bin, self.folder, self.problems, self.rows = bin_folder, folder, [], 0

    def run(self, tool, words, variables=()):
        plain = {name: value for name, value in os.environ.items() if not name.startswith("BALLAST_")}
        environment = plain | {"BALLAST_CONFIG": ""} | dict(variables)
        return subprocess.run([self.bin / tool, *map(str, words)], cwd=self.folder, env=environment, capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL)

    def row(self, tool, kind, words, status, said=""):
        self.rows += 1
        done = self.run(tool, words)
        if done.returncode != status or said not in done.stderr or (status == 1 and not done.stderr + done.stdout):
            self.problems.append(f"{tool}, {kind}: status {done.returncode}, expected {status}: {done.stderr[:200]!r}")
        return done


def check_tool(table, tool, good):
    usage = [("unknown option", ["--no-such-option"]), ("a word that is no form", ["--format", "xml"]), ("an option without its value", ["--format"])]
    if tool in LIVE:
        usage += [("a value that our option refuses", ["--timeout", "soon"]), ("two forms", ["--json", "--format", "json"] if tool != "hail" else ["--timeout="])]
    for kind, words in usage:
        table.row(tool, kind, missing_input(tool) + words, 2)
        if tool in DETAILED:
            table.row(tool, f"{kind}, detailed", missing_input(tool) + ["--detailed-exit-code"] + words, 1)
    table.row(tool, "input that is not there", missing_input(tool), 2 if tool == "hscan" else 1, "" if tool in LIVE else tool)
    table.row(tool, "help", ["--help"], 0)
    table.row(tool, "version", ["--version"], 0)
    table.row(tool, "a file that cannot be written", good + ["--output", "/no/such/folder/answer"], 1, "/no/such/folder/answer")
    (table.folder / "site.toml").write_text(f"[{tool}]\nno-such-option = true\n")
    table.row(tool, "a site's file that is wrong", missing_input(tool) + ["--config", "site.toml"], 1, "site.toml:2")
    if tool in ANSWERED:
        table.row(tool, "the answer, detailed", good + ["--detailed-exit-code"], ANSWERED[tool])
    check_forms(table, tool, good)


def check_forms(table, tool, good):
    """Each form that the tool has is answered, also into a file, the same bytes; the others are refused by name, with the list."""
    every, own = FORMS["hbal"].split(), FORMS[tool].split()
    for form in every:
        words = good + ["--format", form]
        if form not in own:
            table.row(tool, f"form {form}", words, 2, "expected one of " + "|".join(own))
            continue
        shown = table.row(tool, f"form {form}", words, 0)
        answer = table.folder / "answer"
        table.row(tool, f"form {form} in a file", words + ["--output", answer], 0)
        if not shown.stdout or answer.read_text() != shown.stdout:
            table.problems.append(f"{tool}, form {form}: {len(shown.stdout)} bytes shown, others in the file")


def variables_of(table, tool):
    names = re.findall(r"--([a-z0-9-]+)", table.run(tool, ["--help-completion"]).stdout)
    return {"BALLAST_" + name.upper().replace("-", "_") for name in names} - {"BALLAST_CONFIG"}


def check_variables(table, good):
    """A misspelt variable is named in one line and changes nothing; what is meant for another tool is not named."""
    every = {tool: variables_of(table, tool) for tool in FORMS}
    for tool, own in every.items():
        foreign = set().union(*every.values()) - own
        noted = table.run(tool, good[tool], {name: "1" for name in foreign}).stderr
        table.rows += 1
        if "is not read" in noted:
            table.problems.append(f"{tool}: a variable of another tool is taken for a slip: {noted[:200]}")
    plain, slip = table.run("hbal", good["hbal"]), table.run("hbal", good["hbal"], {"BALLAST_MAX_CPUS": "1"})
    line = "hbal: BALLAST_MAX_CPUS is not read; did you mean BALLAST_MAX_CPU?\n"
    table.rows += 1
    if (slip.returncode, slip.stdout, slip.stderr) != (plain.returncode, plain.stdout, line + plain.stderr):
        table.problems.append(f"a misspelt variable: status {slip.returncode}: {slip.stderr[:200]!r}")


def check_reference(table):
    """What htools refuses keeps its statuses, to which scripts are used."""
    for tool in ("hbal", "hspace", "hcheck", "hinfo", "hroller", "hsqueeze"):
        table.row(tool, "an argument too many", ["-t", OFFICE, "extra"], 1, "This program doesn't take any arguments.")
        table.row(tool, "no input at all", [], 1)
    for tool in ("hbal", "hspace", "hcheck", "hroller"):
        table.row(tool, "a node that is not there", ["-t", OFFICE, "-O", "nowhere"], 1)
    table.row("hbal", "a value of the reference's option", ["-t", OFFICE, "-l", "many"], 1)
    table.row("hbal", "a choice of the reference's option", ["-t", OFFICE, "--priority", "urgent"], 1)
    table.row("hbal", "an instance that is not there", ["-t", OFFICE, "--explain", "nobody"], 1)
    table.row("hbal", "two questions", ["-t", "/no/such/file", "--explain", "a", "--repair"], 2, "cannot be asked together")
    table.row("hcheck", "a cluster that is not well", ["-t", OFFICE], 1)
    table.row("hspace", "keys and a form", ["-t", "/no/such/file", "--machine-readable", "--format", "markdown"], 2, "exclude each other")


def check_planners(table, plan):
    for tool in ("hfdb", "htidb"):
        table.row(tool, "no subcommand", [], 2)
        table.row(tool, "an unknown subcommand", ["paln"], 2, 'did you mean "plan"?')
        table.row(tool, "no subcommand, detailed", ["--detailed-exit-code"], 1)
    table.row("hplan", "no subcommand", [], 2)
    table.row("hplan", "an unknown subcommand", ["shwo", plan], 2, 'did you mean "show"?')
    table.row("hplan", "no shell form", ["check", plan, "-t", OFFICE, "--format", "shell"], 2)
    table.row("hplan", "a plan for another cluster", ["check", plan, "-t", GANETI / "two-tiers.data"], 1)
    full = table.folder / "full.data"
    full.write_text(re.sub(r"^(hv10\.office\.example\|\d+\|\d+)\|\d+\|", r"\1|1|", OFFICE.read_text(), flags=re.M))
    table.row("hplan", "a plan that does not hold", ["check", plan, "-t", full], 3)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    bin_folder = parser.parse_args().bin.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        table, plan = Table(bin_folder, folder), folder / "plan.json"
        subprocess.run([bin_folder / "hbal", "-t", OFFICE, "--save-plan", plan], capture_output=True, check=True)
        good = good_calls(plan)
        for tool, words in good.items():
            check_tool(table, tool, words)
        check_variables(table, good)
        check_reference(table)
        check_planners(table, plan)
    for problem in table.problems:
        print(problem)
    print(f"{table.rows} calls of {len(FORMS)} tools, {len(table.problems)} problems")
    return 1 if table.problems else 0


if __name__ == "__main__":
    sys.exit(main())

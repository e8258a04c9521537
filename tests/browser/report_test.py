#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The HTML report in a real browser: no console message, nothing asked from outside, texts there, nothing wider than the screen, keyboard usable,
light and dark, everything on paper.

report_test.py HPLAN PLAN.json: exit status 77 where Chromium is absent.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--enable-logging=stderr"]

# Runs in the page, after its own script; what it finds is left in an attribute that --dump-dom shows.
PROBE = """<script>addEventListener('load',function(){
var out={},find=document.getElementById('find');
var press=function(target,key){target.dispatchEvent(new KeyboardEvent('keydown',{key:key,bubbles:true,cancelable:true}))};
var shown=function(){return document.querySelectorAll('.steps>li:not([hidden])').length};
out.steps=shown();
out.resources=performance.getEntriesByType('resource').length;
out.wide=document.documentElement.scrollWidth-innerWidth;
out.dark=matchMedia('(prefers-color-scheme:dark)').matches;
out.page=getComputedStyle(document.body).backgroundColor;
out.ids=[].map.call(document.querySelectorAll('[id]'),function(e){return e.id});
out.broken=[].filter.call(document.querySelectorAll('a[href^="#"]'),function(a){return !document.getElementById(a.getAttribute('href').slice(1))}).length;
out.bars=document.querySelectorAll('svg[role=img][aria-label] rect.is').length;
press(document.body,'/');
out.focused=document.activeElement===find;
find.value='WORD';find.dispatchEvent(new Event('input'));
setTimeout(function(){
  out.found=shown();out.told=document.getElementById('found').textContent;
  press(find,'Escape');
  out.cleared=shown();
  document.documentElement.setAttribute('data-probe',JSON.stringify(out));
},300);
});</script></body>"""


def run(browser, *args):
    with tempfile.TemporaryDirectory() as profile:
        return subprocess.run([browser, *FLAGS, f"--user-data-dir={profile}", *args], capture_output=True, text=True, timeout=120, check=False)


def probe(browser, page, width, *more):
    done = run(browser, f"--window-size={width},900", *more, "--virtual-time-budget=3000", "--dump-dom", page.as_uri())
    match = re.search(r'data-probe="([^"]*)"', done.stdout)
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    if not match:
        return None, console + ["the probe left nothing: " + done.stderr[-500:]]
    return json.loads(match.group(1).replace("&quot;", '"').replace("&amp;", "&")), console


def consoles_of(browser, page):
    """What the page as it is written says on the console: its script and style must be those that its policy names."""
    done = run(browser, "--virtual-time-budget=1000", "--dump-dom", page.as_uri())
    return ["console: " + line for line in done.stderr.splitlines() if "CONSOLE" in line]


def faults(plan, results, consoles):
    steps = len(plan["steps"])
    word = plan["steps"][0]["subject"]["name"]
    hits = sum(word in json.dumps(step) for step in plan["steps"])
    for name, result in results.items():
        yield from (f"{name}: console: {line}" for line in consoles[name])
        if result is None:
            continue
        expected = {"steps": steps, "resources": 0, "broken": 0, "focused": True, "cleared": steps}
        for key, value in expected.items():
            if result[key] != value:
                yield f"{name}: {key} is {result[key]}, expected {value}"
        if result["wide"] > 0:
            yield f"{name}: {result['wide']} pixels wider than the screen"
        if not 0 < result["found"] <= max(hits, 1) or not result["told"].startswith(str(result["found"])):
            yield f"{name}: {word!r} finds {result['found']} steps of {hits}, told {result['told']!r}"
        if len(result["ids"]) != len(set(result["ids"])):
            yield f"{name}: the same id twice"
        if result["bars"] == 0:
            yield f"{name}: no bars"
    if all(results.values()):
        if results["dark"]["page"] == results["desktop"]["page"] or not results["dark"]["dark"]:
            yield "dark looks like light"


def main():
    hplan, plan_file = sys.argv[1:3]
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        print("no Chromium")
        return 77
    plan = json.loads(pathlib.Path(plan_file).read_text())
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "plan.html"
        subprocess.run([hplan, "show", "--html", "--output", str(page), plan_file], check=True)
        html = page.read_text()
        texts = [plan["steps"][0]["reason"]["text"].split(",")[0], plan["steps"][-1]["subject"]["name"], plan["fingerprint"]]
        problems = [f"not in the page: {text}" for text in texts if text not in html]
        problems += consoles_of(browser, page)
        problems += [f"asks for something outside: {hit}" for hit in re.findall(r'(?:src|href)="(?:https?:)?//[^"]*"', html)]
        word = plan["steps"][0]["subject"]["name"]
        probed = pathlib.Path(folder) / "probe.html"
        # The page's policy lets only its own script run, so the probed copy has none.
        open_page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)
        probed.write_text(open_page.replace("</body>", PROBE.replace("WORD", word)))
        results, consoles = {}, {}
        for name, width, more in (("desktop", 1200, []), ("phone", 500, []), ("dark", 1200, ["--blink-settings=preferredColorScheme=0"])):
            results[name], consoles[name] = probe(browser, probed, width, *more)
        problems += faults(plan, results, consoles)
        paper = pathlib.Path(folder) / "plan.pdf"
        run(browser, f"--print-to-pdf={paper}", page.as_uri())
        if not paper.is_file() or not paper.read_bytes().startswith(b"%PDF"):
            problems.append("cannot be printed")
    print("\n".join(problems) or f"{len(plan['steps'])} steps, {len(results)} screens, no complaint")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

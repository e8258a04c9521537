#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The HTML report of each kind of plan, and of each kind of answer without a plan, in a real browser, 1280 and 390 pixels wide, light, dark and on paper.

Asserted: no console message, nothing asked from outside, nothing wider than the screen, nothing cut, no column under 60 pixels, no lost column, each
link leads somewhere, the filter finds by keyboard, a plan of 3,000 steps for 1,000 nodes is under 3 MB and 15 screens.

report_test.py --bin DIR [--keep FOLDER]: exit status 77 where Chromium is absent. With --keep the pages stay there.
"""
import argparse
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DENSITY = "--current data/fdb/density/cluster.yaml --kube data/fdb/density/pods.json --status data/fdb/density/status.json --now 2026-11-28T12:00:00Z"
FIG5 = "--current data/tidb/figures/values-fig5.yaml --pd data/tidb/state/fig5-healthy/pd-store.json"
PLANS = {
    "hbal": "hbal -t data/ganeti/office.data --rate 100 --json",
    "hbal-units": "hbal -t data/ganeti/split-units.data --json",
    "hroller": "hroller -t data/ganeti/office.data --force --offline-maintenance --json",
    "hsqueeze": "hsqueeze -t tests/golden/hsqueeze/json/cluster.data --json",
    "hfdb": f"hfdb plan {DENSITY} --set storageServersPerPod=2 --format json",
    "htidb": f"htidb plan {FIG5} --desired data/tidb/examples/06-desired.yaml --format json",
    "moves": "cat data/plans/moves.json",
    "blocked": "cat data/plans/blocked.json",
    "drain": "hbal -t tests/golden/hbal/evacuation-names-what-stays/cluster.data -O n1 -E --json",
    "hcheck-tier": "hcheck -t tests/golden/hcheck/what-if-tier/cluster.data --what-if 'tier=web*:drbd8/fast' --rate 100 --json",
    "large": f"{sys.executable} {HERE / 'make_large.py'} data/plans/moves.json 1000 3000",
}
GONE = "tests/golden/hplan/check-one-gone"
# Pages without a plan.
ANSWERS = {
    "hcheck": "hcheck -t data/ganeti/two-tiers.data --format html",
    "hcheck-doctor": "hcheck -t data/ganeti/office.data --doctor --format html",
    "hcheck-each": "hcheck -t data/ganeti/office.data --what-if each --format html",
    "hbal-explain": "hbal -t tests/golden/hbal/explain-all-rules/cluster.data --explain app --format html",
    "hspace-forecast": "cd tests/golden/hspace/forecast-dates && hspace --forecast old.data new.data --dates 2026-10-01,2026-10-15T12:00 --default-storage drbd8=fast --format html",
    "hspace-thorough": "hspace -t data/ganeti/two-tiers.data --thorough --explain --format html",
    "check": f"hplan check --html -t {GONE}/d1.data <(hbal -t {GONE}/fri.data --json)",
    "diff": f"hplan diff --html <(hbal -t {GONE}/fri.data --json) <(hbal -t {GONE}/d1.data --json)",
    "diff-snapshots": "hplan diff --html data/ganeti/office.data data/ganeti/two-tiers.data",
}
WIDTHS = {"desktop": 1280, "phone": 390}
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--enable-logging=stderr"]

# Runs in a page, after its own script, and tells the page around it what it finds.
PROBE = """<script>addEventListener('load',function(){
var out={},find=document.getElementById('find'),all=function(what){return [].slice.call(document.querySelectorAll(what))};
var press=function(target,key){target.dispatchEvent(new KeyboardEvent('keydown',{key:key,bubbles:true,cancelable:true}))};
var shown=function(){return all('.steps>li').filter(function(e){return !e.hidden}).length};
var name=function(e){return e.tagName+'.'+(e.getAttribute('class')||'')+': '+e.textContent.slice(0,40)};
out.steps=shown();
out.resources=performance.getEntriesByType('resource').length;
out.height=document.documentElement.scrollHeight;
out.dark=matchMedia('(prefers-color-scheme:dark)').matches;
out.page=getComputedStyle(document.body).backgroundColor;
out.ids=all('[id]').length-Object.keys(all('[id]').reduce(function(seen,e){seen[e.id]=1;return seen},{})).length;
out.broken=all('a[href^="#"]').filter(function(a){return !document.getElementById(a.getAttribute('href').slice(1))}).length;
out.deaf=all('a,summary,button,input,select').filter(function(e){return e.tabIndex<0}).length;
if(out.steps<200)all('details').forEach(function(d){d.open=true});
out.wide=document.documentElement.scrollWidth-innerWidth;
out.cut=all('body *').filter(function(e){
  var style=getComputedStyle(e);
  return !e.closest('svg')&&!/INPUT|SELECT/.test(e.tagName)&&!e.title&&style.overflowX!=='visible'&&e.scrollWidth>e.clientWidth+1}).slice(0,5).map(name);
var cells=all('td,th').slice(0,3000).filter(function(e){return e.offsetParent&&e.textContent});
out.narrow=cells.filter(function(e){return e.getBoundingClientRect().width<60}).slice(0,5).map(name);
out.lost=all('main *').slice(0,20000).filter(function(e){
  var box=e.getBoundingClientRect();
  return !e.closest('svg,thead,.maps input')&&box.width>0&&(box.right>innerWidth+1||box.left<-1)}).slice(0,5).map(name);
out.squeezed=all('p,dd,dt,label,h1,h2,h3,summary>span').filter(function(e){
  var box=e.getBoundingClientRect();
  return box.width>0&&box.width<60&&box.height>3*parseFloat(getComputedStyle(e).lineHeight)}).slice(0,5).map(name);
var tell=function(){parent.postMessage({name:'NAME',out:out},'*')};
if(!find)return tell();
press(document.body,'/');
out.focused=document.activeElement===find;
find.value='WORD';find.dispatchEvent(new Event('input'));
setTimeout(function(){
  out.found=shown();out.told=document.getElementById('found').textContent;
  press(find,'Escape');
  out.cleared=shown();
  tell();
},300);
});</script></body>"""
BENCH = """<!DOCTYPE html><title>bench</title><script>
var results={},count=COUNT;
addEventListener('message',function(e){results[e.data.name]=e.data.out;
if(Object.keys(results).length===count)document.documentElement.setAttribute('data-probe',JSON.stringify(results))});
</script>"""


def run(browser, *args):
    with tempfile.TemporaryDirectory() as profile:
        return subprocess.run([browser, *FLAGS, f"--user-data-dir={profile}", *args], capture_output=True, text=True, timeout=240, check=False)


def consoles_of(done):
    return [line for line in done.stderr.splitlines() if "CONSOLE" in line]


class Page:
    def __init__(self, name, plan, file):
        self.name, self.plan, self.file = name, plan, file
        self.html = file.read_text()
        self.word = plan["steps"][0]["subject"]["name"] if plan["steps"] else ""

    def probed(self, folder, look):
        """A copy with the probe; the page's policy lets only its own script run, so the copy has none."""
        text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", self.html)
        copy = folder / f"probe-{self.name}-{look}.html"
        copy.write_text(text.replace("</body>", PROBE.replace("WORD", self.word).replace("NAME", f"{self.name} {look}")))
        return copy

    def faults(self):
        yield from (f"{self.name}: asks for something outside: {hit}" for hit in re.findall(r'(?:src|href)="(?:https?:)?//[^"]*"', self.html))
        said = [self.plan["fingerprint"][:8], *(step["subject"]["name"].split(".")[0] for step in self.plan["steps"])]
        yield from (f"{self.name}: not in the page: {text}" for text in said if html.escape(text) not in self.html)
        if len(self.html) >= 3_000_000:
            yield f"{self.name}: {len(self.html)} bytes"

    def faults_of(self, look, out):
        name, steps = f"{self.name} {look}", len(self.plan["steps"])
        expected = {"steps": steps, "resources": 0, "broken": 0, "deaf": 0, "ids": 0, "cut": [], "narrow": [], "lost": [], "squeezed": []}
        if steps > 1:
            expected |= {"focused": True, "cleared": steps}
        yield from (f"{name}: {key} is {out[key]}, expected {value}" for key, value in expected.items() if out[key] != value)
        if out["wide"] > 0:
            yield f"{name}: {out['wide']} pixels wider than the screen"
        if steps > 1 and not (0 < out["found"] <= steps and out["told"].replace(",", "").startswith(str(out["found"]))):
            yield f"{name}: {self.word!r} finds {out['found']} steps, told {out['told']!r}"
        if look == "desktop" and steps > 200 and out["height"] > 15 * 900:
            yield f"{name}: {out['height'] / 900:.1f} screens"


def make_pages(bin_folder, folder):
    env = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}"}
    for name, command in PLANS.items():
        plan = folder / f"{name}.json"
        plan.write_bytes(subprocess.run(["bash", "-c", command], cwd=ROOT, env=env, capture_output=True, check=False).stdout)
        file = folder / f"{name}.html"
        subprocess.run(["hplan", "show", "--html", "--output", str(file), str(plan)], env=env, capture_output=True, check=True)
        yield Page(name, json.loads(plan.read_text()), file)
    for name, command in ANSWERS.items():
        file = folder / f"{name}.html"
        file.write_bytes(subprocess.run(["bash", "-c", command], cwd=ROOT, env=env, capture_output=True, check=False).stdout)
        yield Page(name, {"steps": [], "fingerprint": ""}, file)


def probe(browser, pages, folder, *more):
    """All pages in all widths as frames of one."""
    frames = [(page, look, width) for page in pages for look, width in WIDTHS.items()]
    bench = BENCH.replace("COUNT", str(len(frames))) + "".join(
        f"<iframe src='{page.probed(folder, look).name}' width={width} height=900 style='border:0'></iframe>" for page, look, width in frames)
    (folder / "bench.html").write_text(bench)
    done = run(browser, "--window-size=1400,1000", *more, "--virtual-time-budget=20000", "--dump-dom", (folder / "bench.html").as_uri())
    match = re.search(r'data-probe="([^"]*)"', done.stdout)
    return json.loads(html.unescape(match[1])) if match else {}, consoles_of(done)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        print("no Chromium")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(arguments.keep or scratch)
        folder.mkdir(exist_ok=True)
        pages = list(make_pages(pathlib.Path(arguments.bin).resolve(), folder))
        problems = [fault for page in pages for fault in page.faults()]
        light, said = probe(browser, pages, folder)
        small = [page for page in pages if page.name != "large"]
        dark, said_dark = probe(browser, small, folder, "--blink-settings=preferredColorScheme=0")
        problems += said + said_dark
        if not light or not dark:
            problems.append("not every page told what it found")
        problems += [fault for page in pages for look in WIDTHS if light for fault in page.faults_of(look, light[f"{page.name} {look}"])]
        problems += [f"{name}: dark looks like light" for name, out in dark.items() if not out["dark"] or out["page"] == light[name]["page"]]
        # The page as it is written: its script and style must be those that its policy names; and paper.
        for page in small[:1]:
            problems += consoles_of(run(browser, "--virtual-time-budget=1000", "--dump-dom", page.file.as_uri()))
            paper = folder / "paper.pdf"
            run(browser, f"--print-to-pdf={paper}", page.file.as_uri())
            if not paper.is_file() or not paper.read_bytes().startswith(b"%PDF"):
                problems.append("cannot be printed")
    print("\n".join(problems) or f"{len(pages)} pages, {len(light) + len(dark)} looks, no complaint")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

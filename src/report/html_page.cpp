// SPDX-License-Identifier: BSD-2-Clause
#include "html_page.hpp"

#include "ballast/core/utf8.hpp"
#include "ballast/core/visible.hpp"

#include <algorithm>

namespace ballast::report {
namespace {

constexpr std::string_view kStyle = R"css(
:root{color-scheme:light dark;--page:#fff;--card:#f4f6f8;--text:#1a2026;--faint:#5a6672;--line:#d3dae0;--track:#e4e9ed;
--before:#8d99a5;--after:#1f6fc4;--link:#1a5fae;--alarm:#b3261e;--alarm-page:#fdecea;--warn-page:#fff5db;--mark:#ffe58a}
@media (prefers-color-scheme:dark){:root{--page:#14181c;--card:#1e242a;--text:#e6eaee;--faint:#9daab6;--line:#36404a;--track:#2b333b;
--before:#7d8a96;--after:#5ba7f5;--link:#7db9f7;--alarm:#ff8a80;--alarm-page:#3a1c1a;--warn-page:#352d14;--mark:#6b5900}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.45 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:72rem;margin:0 auto;padding:1rem}
h1{font-size:1.5rem;line-height:1.25;margin:.2rem 0}
h2{font-size:1.15rem;margin:2rem 0 .6rem;scroll-margin-top:4rem}
h3{font-size:1rem;margin:1.2rem 0 .4rem}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--after);outline-offset:2px}
.faint,.why{color:var(--faint)}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:1rem;background:var(--page);padding:.5rem;z-index:2}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.6rem;margin:1rem 0;padding:0;list-style:none}
.cards li{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.6rem .8rem}
.cards b{display:block;font-size:1.15rem;line-height:1.3}
.cards .wide{grid-column:1/-1}
.cards .wide b{font-size:1rem}
.box{border:1px solid var(--line);border-left:.35rem solid var(--faint);border-radius:.3rem;padding:.5rem .8rem;margin:.5rem 0}
.box.danger{border-left-color:var(--alarm);background:var(--alarm-page)}
.box.warning{border-left-color:#c98a00;background:var(--warn-page)}
.box ul{margin:.3rem 0;padding-left:1.2rem}
.find{position:sticky;top:0;background:var(--page);padding:.6rem 0;border-bottom:1px solid var(--line);z-index:1;display:flex;flex-wrap:wrap;gap:.6rem;align-items:center}
.find nav a{margin-right:.6rem}
.search{display:flex;flex:1 1 20rem;gap:.6rem;align-items:center;flex-wrap:wrap}
.find input{flex:1 1 14rem;min-width:0;font:inherit;color:inherit;background:var(--card);border:1px solid var(--faint);border-radius:.4rem;padding:.45rem .6rem}
.steps{list-style:none;margin:0;padding:0}
.steps>li{border-bottom:1px solid var(--line);padding:.45rem 0 .45rem 3rem;position:relative}
.steps>li{scroll-margin-top:4rem}
.steps>li:target{background:var(--warn-page)}
.steps>li>b:first-child{position:absolute;left:0;width:2.4rem;text-align:right;color:var(--faint);font-weight:400}
.steps p{margin:.1rem 0}
.place{white-space:normal}
.alarm{color:var(--alarm)}
.tag{border:1px solid currentColor;border-radius:.3rem;padding:0 .3rem;font-size:.85em}
code,pre{font:.88em/1.4 ui-monospace,monospace}
pre{margin:.3rem 0;padding:.4rem .6rem;background:var(--card);border:1px solid var(--line);border-radius:.3rem;white-space:pre-wrap}
summary{cursor:pointer}
.rows{margin:0;padding:0;list-style:none}
.rows>li{display:grid;grid-template-columns:13rem 1fr 25rem;gap:0 .8rem;align-items:center;padding:.2rem 0}
.rows svg{width:100%;height:1.1rem;display:block}
.rows .value{font-variant-numeric:tabular-nums;text-align:right;font-size:.9rem}
.track{fill:var(--track)}.was{fill:var(--before)}.is{fill:var(--after)}.over{fill:var(--alarm)}
.key{display:inline-block;width:.8em;height:.8em;border-radius:.15em;margin:0 .3em 0 .8em}
.scroll{overflow-x:auto}
.chart+.chart{margin-top:1.2rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.25rem .7rem .25rem 0;border-bottom:1px solid var(--line);vertical-align:top}
td.n,th.n{text-align:right;white-space:nowrap}
tr.unit td:first-child{padding-left:1.2rem}
mark{background:var(--mark);color:inherit}
section.phase{content-visibility:auto;contain-intrinsic-size:auto 30rem}
[hidden]{display:none!important}
@media (max-width:70rem){.rows>li{grid-template-columns:11rem 1fr;padding:.35rem 0}.rows .value{grid-column:2;text-align:left}}
@media (max-width:40rem){body{font-size:15px}.rows>li{grid-template-columns:1fr}.rows .value{grid-column:1}.steps>li{padding-left:2.2rem}.steps>li>b:first-child{width:1.8rem}}
@media print{:root{color-scheme:light;--page:#fff;--card:#fff;--text:#000;--faint:#333;--line:#999;--track:#ddd;--before:#888;--after:#1f6fc4;--link:#000;--alarm:#900;--alarm-page:#fff;--warn-page:#fff}
body{font-size:10pt}main{max-width:none;padding:0}.find,.skip{display:none}section.phase{content-visibility:visible}
.steps>li,.rows>li,.box,.cards li{break-inside:avoid}h2,h3{break-after:avoid}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)css";

constexpr std::string_view kScript = R"js(
(function(){
var box=document.getElementById('find'),bar=document.querySelector('.search'),told=document.getElementById('found');
var items=[].slice.call(document.querySelectorAll('[data-find]'));
var phases=[].slice.call(document.querySelectorAll('section.phase,.chart'));
var texts=null;
function find(){
  var words=box.value.toLowerCase().split(/\s+/).filter(Boolean),count=0,steps=0;
  if(!texts)texts=items.map(function(e){return e.textContent.toLowerCase()});
  items.forEach(function(e,i){
    var hit=words.every(function(w){return texts[i].indexOf(w)>=0});
    e.hidden=!hit;
    if(hit){count++;if(e.parentNode.className==='steps')steps++}
  });
  phases.forEach(function(p){p.hidden=words.length>0&&!p.querySelector('[data-find]:not([hidden])')});
  if(words.length)[].forEach.call(document.querySelectorAll('details.more'),function(d){d.open=true});
  told.textContent=words.length?steps+(steps===1?' step':' steps')+', '+(count-steps)+' other lines':'';
}
if(bar&&box){
  bar.hidden=false;
  var timer;
  box.addEventListener('input',function(){clearTimeout(timer);timer=setTimeout(find,items.length>2000?200:0)});
  document.addEventListener('keydown',function(e){
    if(e.key==='/'&&e.target!==box&&!e.ctrlKey&&!e.metaKey&&!e.altKey){e.preventDefault();box.focus();box.select()}
    if(e.key==='Escape'&&e.target===box){box.value='';find()}
  });
}
var opened=[];
addEventListener('beforeprint',function(){opened=[].filter.call(document.querySelectorAll('details:not([open])'),function(d){d.open=true;return true})});
addEventListener('afterprint',function(){opened.forEach(function(d){d.open=false})});
})();
)js";

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    const char first = text.front();
    if (length == 0) {
      out += "\xEF\xBF\xBD";
    } else if (first == '\n' || first == '\t') {
      out += ' ';
    } else if (is_hidden(utf8_decode(text))) {
      out += visible(text.substr(0, length));
    } else if (length > 1) {
      out += text.substr(0, length);
    } else if (first == '&') {
      out += "&amp;";
    } else if (first == '<') {
      out += "&lt;";
    } else if (first == '>') {
      out += "&gt;";
    } else if (first == '"') {
      out += "&quot;";
    } else {
      out += first;
    }
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return out;
}

std::string html_head(std::string_view title) {
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>";
  page += html_text(title);
  page += "</title>\n<style>";
  page += kStyle;
  page += "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#steps\">to the steps</a>\n<main>\n";
  return page;
}

std::string html_foot() {
  std::string page = "</main>\n<script>";
  page += kScript;
  return page + "</script>\n</body>\n</html>\n";
}

}  // namespace ballast::report

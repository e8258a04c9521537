// SPDX-License-Identifier: BSD-2-Clause
#include "style.hpp"

namespace ballast::report {

std::string_view html_style() {
  return R"css(
:root{color-scheme:light dark;--page:#fff;--card:#f4f6f8;--text:#1a2026;--faint:#5a6672;--line:#d3dae0;--track:#e4e9ed;
--before:#8d99a5;--after:#1f6fc4;--link:#1a5fae;--alarm:#b3261e;--alarm-page:#fdecea;--warn-page:#fff5db;--none:#eceff2;
--l0:#f1f6fb;--l1:#e1ecf7;--l2:#cfe1f2;--l3:#b8d3eb;--l4:#9cc2e2;--l5:#7fb0d8;--l6:#5f9bcb;--l7:#4285bb;--l8:#2a6ca6;--l9:#17518a;--l10:#b3261e;
--k0:#1f6fc4;--k1:#d9822b;--k2:#3d9970;--k3:#8e5cc4;--k4:#b5474b;--k5:#4ba3b5;--k6:#a08a2e;--k7:#6b7885;--k8:#12407a;--k9:#8a4b0b;--k10:#1e6b4a;--k11:#c76bb0}
@media (prefers-color-scheme:dark){:root{--page:#14181c;--card:#1e242a;--text:#e6eaee;--faint:#9daab6;--line:#36404a;--track:#2b333b;
--before:#7d8a96;--after:#5ba7f5;--link:#7db9f7;--alarm:#ff8a80;--alarm-page:#3a1c1a;--warn-page:#352d14;--none:#22282e;
--l0:#1c2530;--l1:#1d2f42;--l2:#1e3a55;--l3:#1f4668;--l4:#21527c;--l5:#256092;--l6:#2f72aa;--l7:#4188c4;--l8:#62a5dd;--l9:#92c8f4;--l10:#ff8a80;
--k0:#5ba7f5;--k1:#f0a35c;--k2:#6cc9a1;--k3:#b995e6;--k4:#e58a8d;--k5:#83cbd9;--k6:#d1bd6a;--k7:#9daab6;--k8:#a9d0fb;--k9:#c97f3a;--k10:#3f9e76;--k11:#e6a3d6}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.45 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:72rem;margin:0 auto;padding:1rem}
h1{font-size:1.5rem;line-height:1.25;margin:.15rem 0 .3rem;text-wrap:balance}
.lead{margin:0;font-size:1.05rem;color:var(--faint)}
h2{font-size:1.15rem;margin:2rem 0 .6rem;scroll-margin-top:4rem}
h3{font-size:1rem;margin:1.2rem 0 .4rem}
h4{font-size:.85rem;font-weight:600;margin:0 0 .3rem;color:var(--faint)}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--after);outline-offset:2px}
.faint,.why,.origin{color:var(--faint)}
.origin{margin:0}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:1rem;background:var(--page);padding:.5rem;z-index:2}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.6rem;margin:1rem 0;padding:0;list-style:none}
.cards li{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.5rem .8rem}
.cards b{display:block;font-size:1.15rem;line-height:1.3;overflow-wrap:anywhere}
.cards li{color:var(--faint);font-size:.9rem}.cards b{color:var(--text)}
.moments{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:1rem 0;padding:.6rem .8rem;background:var(--card);border:1px solid var(--line);border-radius:.5rem}
.moments dt{grid-column:1;font-weight:400;color:var(--faint)}.moments dd{grid-column:2;margin:0}
.where{white-space:normal;color:var(--faint)}
.box{border:1px solid var(--line);border-left:.35rem solid var(--faint);border-radius:.3rem;padding:.5rem .8rem;margin:.5rem 0}
.box.danger{border-left-color:var(--alarm);background:var(--alarm-page)}
.box.warning{border-left-color:#c98a00;background:var(--warn-page)}
.box ul{margin:.3rem 0;padding-left:1.2rem}
.find{position:sticky;top:0;background:var(--page);padding:.5rem 0;border-bottom:1px solid var(--line);z-index:1;display:flex;flex-wrap:wrap;gap:.4rem .9rem;align-items:center}
.find nav a{margin-right:.7rem}
.search{display:flex;flex:1 1 24rem;gap:.5rem;align-items:center;flex-wrap:wrap;min-width:0}
.search input{flex:1 1 11rem;min-width:0}
.search input,.search select,.search button{font:inherit;color:inherit;background:var(--card);border:1px solid var(--faint);border-radius:.4rem;padding:.35rem .6rem;max-width:100%}
.maps{display:flex;flex-wrap:wrap;gap:.4rem;align-items:center}
.maps input{position:absolute;opacity:0}
.maps label{border:1px solid var(--line);border-radius:.4rem;padding:.15rem .6rem;cursor:pointer;background:var(--card)}
.maps input:checked+label{background:var(--after);border-color:var(--after);color:var(--page)}
.maps input:focus-visible+label{outline:3px solid var(--after);outline-offset:2px}
.gap{flex:1}
.scale{flex-basis:100%;flex-wrap:wrap;white-space:nowrap;margin:.2rem 0;color:var(--faint);font-size:.85rem;display:flex;gap:.4rem;align-items:center}
.scale span{display:flex}
.scale i{width:1.3rem;height:.8rem;background:var(--b)}
.map{display:none;flex-basis:100%;min-width:0}
#gauge0:checked~.map0,#gauge1:checked~.map1,#gauge2:checked~.map2,#gauge3:checked~.map3,#gauge4:checked~.map4,#gauge5:checked~.map5,
#gauge6:checked~.map6,#gauge7:checked~.map7,#gauge8:checked~.map8,#gauge9:checked~.map9,#gauge10:checked~.map10,#gauge11:checked~.map11{display:flex;flex-wrap:wrap;gap:.6rem}
.frame{border:1px solid var(--line);border-radius:.5rem;padding:.5rem;flex:1 1 auto;min-width:0}
.map ul{list-style:none;margin:0;padding:0;display:grid;gap:3px}
.map li{background:linear-gradient(90deg,var(--b) 50%,var(--a) 50%);border-radius:3px}
#side-before:checked~.map li{background:var(--b)}
#side-after:checked~.map li{background:var(--a)}
ul.named{grid-template-columns:repeat(auto-fill,minmax(7.5rem,1fr))}
ul.named li{position:relative;padding:.9rem .3rem .3rem;min-height:3.4rem;font-size:.8rem;line-height:1.25;background:linear-gradient(90deg,var(--b) 50%,var(--a) 50%) top/100% .7rem no-repeat,var(--card)}
#side-before:checked~.map ul.named li{background:linear-gradient(var(--b),var(--b)) top/100% .7rem no-repeat,var(--card)}
#side-after:checked~.map ul.named li{background:linear-gradient(var(--a),var(--a)) top/100% .7rem no-repeat,var(--card)}
ul.named b{display:block;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
ul.middle{grid-template-columns:repeat(auto-fill,1.6rem)}ul.middle li{height:1.6rem}
ul.small{grid-template-columns:repeat(auto-fill,.85rem);gap:1px}ul.small li{height:.85rem;border-radius:1px}
.b0{--b:var(--l0)}.b1{--b:var(--l1)}.b2{--b:var(--l2)}.b3{--b:var(--l3)}.b4{--b:var(--l4)}.b5{--b:var(--l5)}.b6{--b:var(--l6)}.b7{--b:var(--l7)}.b8{--b:var(--l8)}.b9{--b:var(--l9)}.b10{--b:var(--l10)}.b-{--b:var(--none)}
.a0{--a:var(--l0)}.a1{--a:var(--l1)}.a2{--a:var(--l2)}.a3{--a:var(--l3)}.a4{--a:var(--l4)}.a5{--a:var(--l5)}.a6{--a:var(--l6)}.a7{--a:var(--l7)}.a8{--a:var(--l8)}.a9{--a:var(--l9)}.a10{--a:var(--l10)}.a-{--a:var(--none)}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(13rem,100%),1fr));gap:1rem}
figure{margin:0;max-width:18rem}figcaption{font-size:.9rem;display:flex;justify-content:space-between;gap:.5rem}figcaption span{white-space:nowrap;color:var(--faint);font-size:.85rem}
figure svg{width:100%;height:auto;display:block}
svg text{font-size:10px;fill:var(--faint)}
.axis{stroke:var(--line);fill:none}
.lanes{list-style:none;margin:0;padding:0}
.lanes li{display:grid;grid-template-columns:9rem 1fr;gap:.6rem;align-items:center}
.lanes li>span{font-size:.85rem;text-align:right;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.lanes svg{width:100%;height:1rem;display:block;background:var(--card);border-bottom:1px solid var(--page)}
.axis-line p{display:flex;justify-content:space-between;margin:.2rem 0;color:var(--faint);font-size:.85rem}
.key-line{font-size:.85rem;margin:.2rem 0 .5rem}
.key-line span{margin-right:1rem;white-space:nowrap}
.key-line i,.keys i{display:inline-block;width:.8em;height:.8em;border-radius:.15em;margin-right:.35em}
.keys .was{background:var(--before)}.keys .is{background:var(--after)}
.k0{fill:var(--k0);background:var(--k0)}.k1{fill:var(--k1);background:var(--k1)}.k2{fill:var(--k2);background:var(--k2)}.k3{fill:var(--k3);background:var(--k3)}
.k4{fill:var(--k4);background:var(--k4)}.k5{fill:var(--k5);background:var(--k5)}.k6{fill:var(--k6);background:var(--k6)}.k7{fill:var(--k7);background:var(--k7)}
.k8{fill:var(--k8);background:var(--k8)}.k9{fill:var(--k9);background:var(--k9)}.k10{fill:var(--k10);background:var(--k10)}.k11{fill:var(--k11);background:var(--k11)}
.bare{fill:var(--alarm)}.bare-key{background:var(--alarm);height:.2em!important;vertical-align:middle}
.steps{list-style:none;margin:0;padding:0}
.steps>li{border-bottom:1px solid var(--line);scroll-margin-top:4rem}
.steps>li:target{background:var(--warn-page)}
.steps summary{padding:.3rem 0;display:flex;flex-wrap:wrap;gap:0 .7rem}
.steps i{font-style:normal;color:var(--faint)}
.steps .why,.steps .alarm{margin-top:.2rem}
.steps summary>b:first-child{min-width:2.2rem;text-align:right;color:var(--faint);font-weight:400}
.steps details>:not(summary){margin:.1rem 0 .1rem 2.9rem}
.steps details[open]{padding-bottom:.5rem}
.phase>h3{margin:.8rem 0 .1rem;font-size:.85rem;font-weight:600;color:var(--faint)}
.alarm{color:var(--alarm)}
.tag{border:1px solid currentColor;border-radius:.3rem;padding:0 .3rem;font-size:.85em}
code,pre{font:.88em/1.4 ui-monospace,monospace}
pre,.steps details>pre{padding:.4rem .6rem;background:var(--card);border:1px solid var(--line);border-radius:.3rem;white-space:pre-wrap}
summary{cursor:pointer}
details.more>summary{padding:.35rem 0}
.rows{margin:0;padding:0;list-style:none}
.rows>li{display:grid;grid-template-columns:11rem 1fr 25rem;gap:0 .8rem;align-items:center;padding:.15rem 0}
.rows svg{width:100%;height:1.1rem;display:block}
.rows .value{font-variant-numeric:tabular-nums;text-align:right;font-size:.9rem}
.track{fill:var(--track)}.was{fill:var(--before)}.is{fill:var(--after)}.over{fill:var(--alarm)}
.chart+.chart{margin-top:1rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;max-width:100%}
th,td{padding:.25rem 1.2rem .25rem 0;border-bottom:1px solid var(--line);vertical-align:top;min-width:60px}
th,td.t{text-align:left}td,thead th.n{text-align:right}
td,th{overflow-wrap:break-word}td.t:nth-child(n+3){overflow-wrap:anywhere}
thead th{font-size:.85rem;color:var(--faint);vertical-align:bottom}
tbody th{font-weight:400;min-width:7rem}
tr.unit th:first-child{padding-left:1.2rem}
abbr{text-decoration:underline dotted;cursor:help}
dt{font-weight:600}dd{margin:0 0 .4rem 1rem}
[hidden]{display:none!important}
@media (max-width:70rem){.rows>li{grid-template-columns:11rem 1fr}.rows .value{grid-column:2;text-align:left}}
@media (max-width:40rem){body{font-size:15px}main{padding:.7rem}.find{position:static}.rows>li{grid-template-columns:1fr}.rows .value{grid-column:1}
.lanes li{grid-template-columns:1fr;gap:0;margin-bottom:.3rem}.lanes li>span{text-align:left;white-space:normal}.steps details>:not(summary){margin-left:.6rem}.cards{grid-template-columns:repeat(2,1fr)}
ul.named{grid-template-columns:repeat(auto-fill,minmax(5.6rem,1fr))}.gap{flex-basis:100%}.moments{grid-template-columns:1fr}.moments dd{grid-column:1}.moments dt:not(:first-child){margin-top:.4rem}
table,tbody,tr{display:block}thead{position:absolute;left:-99rem}tr{border-bottom:1px solid var(--line);padding:.4rem 0}th,td{border:0;padding:.05rem 0;display:block}
tbody th{font-weight:600}td,td.t{text-align:right;min-height:1.45em}td::before{content:attr(data-h);color:var(--faint);float:left;margin-right:.7rem}td:empty{display:none}}
@media print{:root{color-scheme:light;--page:#fff;--card:#fff;--text:#000;--faint:#333;--line:#999;--track:#ddd;--before:#888;--after:#1f6fc4;--link:#000;--alarm:#900;--alarm-page:#fff;--warn-page:#fff}
body{font-size:10pt}main{max-width:none;padding:0}.find,.skip{display:none}.rows>li{grid-template-columns:8rem 1fr 20rem}
.steps summary,.rows>li,.box,.cards li,figure,.lanes li,tr{break-inside:avoid}h2,h3,h2+p,.key-line,.phase>summary{break-after:avoid}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)css";
}

}  // namespace ballast::report

// SPDX-License-Identifier: BSD-2-Clause
#include "script.hpp"

namespace ballast::report {

std::string_view html_script() {
  return R"js(
(function(){
var all=function(what){return [].slice.call(document.querySelectorAll(what))};
var box=document.getElementById('find'),kind=document.getElementById('kind'),told=document.getElementById('found');
var unfold=document.getElementById('unfold'),items=all('.steps>li,tbody tr,[data-find]'),groups=all('.phase,.chart'),texts=null;
function find(){
  var words=box.value.toLowerCase().split(/\s+/).filter(Boolean),k=kind.value,count=0,steps=0,on=words.length>0||k!=='';
  if(!texts)texts=items.map(function(e){return e.textContent.toLowerCase()});
  items.forEach(function(e,i){
    var hit=words.every(function(w){return texts[i].indexOf(w)>=0})&&(k===''||e.dataset.k===k);
    e.hidden=!hit;
    if(hit){count++;if(e.dataset.k)steps++}
  });
  groups.forEach(function(g){g.hidden=on&&!g.querySelector('.steps>li:not([hidden]),tr:not([hidden])>td,[data-find]:not([hidden])')});
  if(on)all('details.more').forEach(function(d){if(!d.hidden)d.open=true});
  told.textContent=on?steps+(steps===1?' step':' steps')+', '+(count-steps)+' other lines':'';
}
function show(){
  var at=location.hash&&document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for(var e=at;e;e=e.parentElement)if(e.tagName==='DETAILS')e.open=true;
  if(at){var own=at.querySelector('details');if(own&&at.dataset.k)own.open=true;at.scrollIntoView()}
}
if(box){
  document.querySelector('.search').hidden=false;
  var timer;
  var later=function(){clearTimeout(timer);timer=setTimeout(find,items.length>2000?200:0)};
  box.addEventListener('input',later);
  kind.addEventListener('change',later);
  unfold.addEventListener('click',function(){
    var open=unfold.textContent==='Unfold all';
    all('details').forEach(function(d){d.open=open});
    unfold.textContent=open?'Fold all':'Unfold all';
  });
  document.addEventListener('keydown',function(e){
    if(e.key==='/'&&e.target!==box&&!e.ctrlKey&&!e.metaKey&&!e.altKey){e.preventDefault();box.focus();box.select()}
    if(e.key==='Escape'&&e.target===box){box.value='';kind.value='';find()}
  });
}
addEventListener('hashchange',show);
show();
var opened=[];
addEventListener('beforeprint',function(){opened=all('details:not([open])').filter(function(d){d.open=true;return true})});
addEventListener('afterprint',function(){opened.forEach(function(d){d.open=false})});
})();
)js";
}

}  // namespace ballast::report

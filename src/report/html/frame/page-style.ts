import { darkRules, palette } from "../charts/palette.ts";

const names = ["ink", "muted", "line", "paper", "paleGrey", "blue", "amber", "orange"] as const;

/** The palette's colours as CSS variables. */
function variables(shade: "light" | "dark"): string {
  return names.map((name) => `--${name}:${palette[name][shade]};`).join("");
}

/** Of every page; the page's policy allows exactly this. */
export const pageStyle: string = `
:root{color-scheme:light;${variables("light")}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",Arial,sans-serif}
header,main,footer{max-width:100rem;margin:0 auto;padding:0 1rem}
header{padding-top:1.5rem}
h1{font-size:1.15rem;margin:0;color:var(--muted);font-weight:600}
h2{font-size:1.15rem;margin:0;line-height:1.3}
h1,h2,p,li,dd,summary{overflow-wrap:anywhere}
a{color:var(--blue)}
a:focus-visible,button:focus-visible,input:focus-visible,select:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:3px solid var(--blue);outline-offset:2px}
.headline{font-size:clamp(1.25rem,1rem + 1.6vw,1.85rem);line-height:1.3;font-weight:650;margin:.35rem 0 .5rem;max-width:54rem;text-wrap:balance;overflow-wrap:anywhere}
.scope{margin:0;color:var(--muted);overflow-wrap:anywhere}
.notes{margin:1rem 0 0;padding:.6rem 1rem;border-left:4px solid var(--blue);background:var(--paleGrey)}
.notes p{margin:.2rem 0}
.trust{position:sticky;top:0;z-index:2;background:var(--paper);border-bottom:1px solid var(--line);margin-top:1rem}
.trust>div{max-width:100rem;margin:0 auto;padding:.45rem 1rem;display:flex;flex-wrap:wrap;gap:.15rem 1.5rem;font-size:.875rem;align-items:baseline}
.trust p{margin:0;color:var(--muted);overflow-wrap:anywhere}
.trust b{color:var(--ink);font-weight:600}
.trust details{margin-left:auto}
.trust details[open]{flex-basis:100%;margin-left:0}
.meanings{max-height:60vh;overflow:auto;margin:.4rem 0 .2rem;padding-right:.5rem}
.meanings dl{margin:0}
summary{cursor:pointer;color:var(--blue);width:fit-content}
dt{font-weight:600;margin-top:.5rem}
dt code{font-weight:400;color:var(--muted)}
dd{margin:0}
code{font-size:.9em}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:.75rem;margin:1.5rem 0 0;padding:0;list-style:none}
.facts li{border:1px solid var(--line);border-radius:.5rem;padding:.7rem .9rem;overflow-wrap:anywhere}
.facts span{display:block}
.facts .label{color:var(--muted);font-size:.875rem}
.facts .value{font-size:1.5rem;font-weight:650;line-height:1.25;font-variant-numeric:tabular-nums}
.facts .note{color:var(--muted);font-size:.875rem}
.chart{margin:2.25rem 0 0}
.chart figcaption p{margin:.15rem 0 .6rem;color:var(--muted);overflow-wrap:anywhere}
.chart svg{display:block;width:100%;height:auto}
.chart .natural svg{width:auto;max-width:none}
.chart .narrow{display:none}
.chart>details{margin-top:.5rem;font-size:.875rem}
.hint{margin:.5rem 0 0;color:var(--muted);font-size:.875rem}
.tools [hidden],.printed{display:none}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;margin:.6rem 0 0;padding:0;font-size:.875rem}
.legend li{display:flex;gap:.45rem;align-items:center}
.chart svg.swatch,.swatch{width:18px;height:18px;flex:none;display:block}
.scroll{position:relative;isolation:isolate;overflow-x:auto;scroll-padding-left:12rem}
.rows{margin:2.5rem 0 3rem}
.tools{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:center;margin:.75rem 0}
.tools label{display:flex;gap:.5rem;align-items:center}
.tools p{margin:0;color:var(--muted);font-size:.875rem}
input,select{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--muted);border-radius:.35rem;padding:.3rem .6rem;width:16rem;max-width:100%}
table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}
.rows table{width:100%}
th,td{padding:.35rem .75rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
tbody th{font-weight:400}
td.text bdi{display:block;width:max-content;min-width:5rem;max-width:16rem;overflow-wrap:break-word}
.stated td.text:last-child bdi{width:auto;min-width:min(18rem,100%);max-width:none}
.number{text-align:right}
td.number,td.moment{white-space:nowrap}
.name{position:sticky;left:0;z-index:1;background:var(--paper)}
thead th{vertical-align:bottom;border-bottom:2px solid var(--muted);font-weight:600}
thead button{font:inherit;font-weight:600;color:inherit;background:none;border:0;padding:0;cursor:pointer;text-align:inherit}
thead button::after{content:"\\a0↕";color:var(--muted);font-weight:400}
th[aria-sort=ascending] button::after{content:"\\a0↑";color:var(--blue);font-weight:700}
th[aria-sort=descending] button::after{content:"\\a0↓";color:var(--blue);font-weight:700}
tbody tr:nth-child(even),tbody tr:nth-child(even) td.name{background:color-mix(in srgb,var(--paleGrey) 45%,var(--paper))}
.chart,.facts,.notes,.reports,.verdicts{max-width:67rem}
.rows .scroll:not(.fits){max-height:max(16rem,calc(100vh - 8rem));overflow:auto}
.rows .fits{overflow:visible}
.rows thead th{position:sticky;top:var(--trust,0);z-index:1;background:var(--paper);border-bottom:0;box-shadow:inset 0 -2px var(--muted)}
.rows thead th.name{z-index:2}
small{font-size:.75rem;color:var(--muted)}
.id{font-size:.75rem;color:var(--muted)}
.more{display:none}
.told{min-height:1.5em;margin:.4rem 0 0;font-size:.875rem;overflow-wrap:anywhere}
.reports{list-style:none;padding:0;margin:2rem 0;display:grid;gap:1rem}
.reports li{border:1px solid var(--line);border-radius:.5rem;padding:1rem 1.15rem;overflow-wrap:anywhere}
.reports p{margin:.3rem 0}
.views{border-bottom:1px solid var(--line)}
.views>div{max-width:100rem;margin:0 auto;padding:.35rem .5rem;display:flex;flex-wrap:wrap}
.views a{padding:.35rem .5rem;text-decoration:none}
.views a:hover{text-decoration:underline}
.views [aria-current]{color:var(--ink);font-weight:650;box-shadow:inset 0 -3px var(--blue)}
.crumbs,.bar,.version{max-width:100rem;margin:0 auto;padding:0 1rem}
.crumbs ol{display:flex;flex-wrap:wrap;list-style:none;margin:.75rem 0 0;padding:0;font-size:.875rem;overflow-wrap:anywhere}
.crumbs li+li::before{content:"›";color:var(--muted);margin:0 .5rem}
.version{padding:.5rem 1rem;border-left:4px solid var(--blue);background:var(--paleGrey);margin-top:.75rem}
.version p{margin:0}
.bar{font-size:.875rem;margin-top:.75rem}
.fields{display:flex;flex-wrap:wrap;gap:.5rem .9rem;align-items:center;margin-bottom:.5rem}
.fields label{display:flex;gap:.4rem;align-items:center}
.fields :is(input:not([type=checkbox]),select){width:auto}
.usual{display:flex;flex-wrap:wrap;gap:.3rem .9rem}
.usual [aria-current]{color:var(--ink);font-weight:650;text-decoration:none}
.choose{position:relative}
.choose b{color:var(--ink);font-weight:600}
.choose fieldset{position:absolute;z-index:3;margin:.25rem 0 0;padding:.5rem .75rem;display:grid;gap:.35rem;background:var(--paper);border:1px solid var(--muted);border-radius:.35rem;white-space:nowrap}
.fold>summary{margin-bottom:.5rem;overflow-wrap:anywhere}
.search{display:flex;gap:.5rem;align-items:center}
thead th a{color:inherit}
th[aria-sort=ascending] a::after{content:"\\a0↑"}
th[aria-sort=descending] a::after{content:"\\a0↓"}
.bar button,.search button{font:inherit;font-weight:600;color:var(--paper);background:var(--blue);border:0;border-radius:.35rem;padding:.4rem 1rem;cursor:pointer}
.take{margin:2rem 0 0;font-size:.875rem;overflow-wrap:anywhere}
.take a{margin-right:.75rem}
main>section>h2{margin-top:2rem}
.verdicts,.runs{list-style:none;padding:0;margin:1rem 0 0;display:grid;gap:.75rem}
.verdicts li{display:grid;grid-template-columns:8rem 1fr;gap:.25rem 1rem;border:1px solid var(--line);border-left:6px solid var(--muted);border-radius:.5rem;padding:.6rem .9rem;overflow-wrap:anywhere}
.verdicts p,.verdicts h3{margin:0;font-size:1rem}
.verdicts .scope{font-size:.875rem}
.verdicts .status{font-weight:650}
.verdicts .good{border-left-color:var(--blue)}
.verdicts .not-known-yet{border-left-style:dashed}
.verdicts .look-at-it{border-left-color:var(--amber)}
.verdicts .bad{border-left-color:var(--orange)}
.worst{padding-left:1.5rem}
.worst li{margin:.35rem 0;overflow-wrap:anywhere}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
footer{color:var(--muted);font-size:.875rem;padding-top:.75rem;padding-bottom:2rem;border-top:1px solid var(--line)}
@media (min-width:40.01rem){
@supports selector(::details-content){
.fold::details-content{content-visibility:visible;height:auto}
.fold>summary{display:none}
}
}
@media screen and (min-width:64rem){
td.text:last-child bdi{max-width:26rem}
}
@media (max-width:40rem){
.chart .wide{display:none}.chart .narrow{display:block}
.facts{grid-template-columns:repeat(auto-fit,minmax(9rem,1fr))}
.facts .value{font-size:1.25rem}
th,td{padding:.35rem .5rem}
td.text bdi{max-width:11rem}
.tools label{flex-wrap:wrap}
.rows .scroll:has(.folded),.rows .scroll:not(.fits):has(.folded){max-height:none;overflow:visible}
.folded{display:grid;grid-template-columns:minmax(5rem,1fr) repeat(3,fit-content(55%))}
.folded :is(thead,tbody,tr){display:grid;grid-column:1/-1;grid-template-columns:subgrid}
.folded tr{align-items:baseline;border-bottom:1px solid var(--line)}
.folded tr[hidden]{display:none}
.folded :is(th,td){border:0}
.folded thead th{position:static;box-shadow:none}
.folded:not(.stated){grid-template-rows:var(--head)}
.folded:not(.stated) thead{grid-row:1/3;align-self:start;position:sticky;top:0;z-index:1;background:var(--paper)}
.folded:not(.stated) tbody{grid-row:2}
.folded:not(.stated) :is(th,td):not(.lead){display:none}
.folded th.number{width:min-content;justify-self:end}
.folded th.lead:not(.lead~.lead){width:auto;justify-self:start;text-align:left}
.folded .name{position:static;z-index:auto}
.folded td{min-width:0;overflow-wrap:anywhere}
.folded td.moment{white-space:normal}
.folded td.text bdi{width:auto;min-width:0;max-width:100%;overflow-wrap:anywhere}
.folded td:has(.more){display:flex;align-items:baseline}
.folded .more{display:inline-block;font:inherit;color:var(--blue);background:none;border:0;padding:.1rem .5rem .1rem 0;cursor:pointer}
.folded .more::before{content:"▸"}
.folded .open .more::before{content:"▾"}
.folded tr.open td:not(:has(.more)){display:flex;grid-column:1/-1;justify-content:space-between;gap:1rem;text-align:right;white-space:normal}
.folded tr.open td:has(.more){grid-column:1/-1;order:-1}
.folded tr.open td:not(:has(.more))::before{content:attr(data-label);color:var(--muted);text-align:left}
.folded.stated,.folded.stated :is(thead,tbody){display:block}
.folded.stated tr{grid-template-columns:minmax(0,1fr) fit-content(60%);padding:.35rem 0}
.folded.stated :is(th,td){padding:0 .5rem}
.folded.stated :is(th,td):nth-last-child(4),.folded.stated :is(th,td):last-child{grid-column:1/-1;color:var(--muted)}
.folded.stated td:nth-last-child(4){font-size:.75rem}
.folded.stated td:nth-last-child(3){font-weight:600}
.folded.stated :is(th,td):nth-last-child(2){text-align:right}
.verdicts li{grid-template-columns:1fr}
.choose fieldset{position:static}
}
td.whole.text bdi{display:block;width:auto;min-width:min(24rem,100%);max-width:40rem;overflow-wrap:anywhere}
@media screen and (prefers-color-scheme:dark){
:root{color-scheme:dark;${variables("dark")}}
${darkRules()}
}
@media print{
body{font-size:10pt}
header,main,footer,.trust>div{max-width:none;padding-left:0;padding-right:0}
.trust{position:static}
.tools label,.chart>details,.unprinted,.views,.crumbs,.bar,.version{display:none}
.printed{display:block}
.meanings{columns:2;font-size:8pt;max-height:none;overflow:visible;margin:0 0 1rem}
dt{break-after:avoid}
thead button{display:contents}
thead button::after{content:""}
.chart,.facts li,.reports li,tr{break-inside:avoid}
h2,.tools{break-after:avoid}
.scroll,.rows .scroll,.rows .scroll:not(.fits){overflow:visible;max-height:none}
.rows .folded thead{position:static}
.rows thead th{position:static;box-shadow:none;border-bottom:2px solid var(--muted)}
.told,.more{display:none}
.chart .natural svg{max-width:100%}
.headline{font-size:15pt}
.facts{grid-template-columns:repeat(auto-fit,minmax(2.7cm,1fr));gap:.3rem;margin-top:.6rem}
.facts li{padding:.2rem .45rem}
.facts .value{font-size:12pt}
.facts :is(.label,.note){font-size:8pt}
.chart{margin-top:1rem}
.chart:first-of-type svg:not(.swatch){max-height:12cm;width:auto;max-width:100%}
table{font-size:7.5pt}
thead{display:table-header-group;break-inside:avoid}
th,td{padding:.1rem .3rem}
td.moment{white-space:normal}
td.text,tbody th{overflow-wrap:anywhere}
.name{position:static}
td.text bdi{width:auto;max-width:12rem;min-width:4.5rem}
.broad{page:broad}
.broad table{font-size:6.5pt}
.broad td.text bdi{max-width:9rem;min-width:3.5rem}
.id{display:none}
@page{margin:1.5cm}
@page broad{size:landscape}
}
.choose input[type=checkbox]{width:auto;flex:none}
.choose fieldset{position:static;display:flex;flex-wrap:wrap;gap:.35rem 1.25rem;white-space:normal}
.fields .choose[open]{flex-basis:100%}
@media (max-width:40rem){
.trust{position:static}
}
`;

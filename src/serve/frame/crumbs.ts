import { type Address, addressOf, addressText, type Link } from "../../report/address/address.ts";
import { withRows } from "../../report/address/drill-down.ts";
import { type Html, html } from "../../report/html/html.ts";
import type { ReportRequest } from "../../report/options/report-options.ts";
import type { Period } from "../../report/report.ts";
import { dayText } from "../../report/text/readable-text.ts";
import { reportTitle } from "../../report/text/titles.ts";
import type { VersionLease } from "../versions/version-pool.ts";
import type { Names } from "./names.ts";

interface Crumb {
  text: string;
  address: Address;
}

/** Filters that narrow a view, widest first. The kind of a campaign is part of the campaign. */
const steps = ["group", "location", "kind", "campaign", "item", "artist", "zone", "device", "load"] as const;

/** Returns the breadcrumbs of a view: the whole report, then each filter that narrows it. */
export function crumbsOf(options: ReportRequest, period: Period | undefined, names: Names): Crumb[] {
  const { view, words } = addressOf(options, period);
  const {
    by: _by,
    only: _only,
    top: _top,
    per: _per,
    sort: _sort,
    search: _search,
    from,
    to,
    compare,
    ...filters
  } = words;
  const dates = {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(compare !== undefined && { compare }),
  };
  const crumbs: Crumb[] = [{ text: reportTitle(options.report), address: withRows({ view, words: dates }) }];
  let kept: Record<string, string> = dates;
  for (const step of steps) {
    const value = filters[step];
    if (value === undefined) continue;
    kept = { ...kept, [step]: value };
    if (step === "kind" && filters.campaign !== undefined) continue;
    crumbs.push({ text: names.textOf(step, value, filters.kind), address: withRows({ view, words: kept }) });
  }
  if (period && period.from === period.to && crumbs.length > 1)
    crumbs.push({ text: dayText(period.to), address: { view, words: kept } });
  return crumbs;
}

/** @param crumbs the last one is the current page */
export function renderCrumbs(crumbs: readonly Crumb[], link: Link): Html | undefined {
  const last = crumbs.at(-1);
  if (!last || crumbs.length < 2) return undefined;
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol>
${crumbs.slice(0, -1).map(({ text, address }) => html`<li><a href="${link(address)}">${text}</a></li>\n`)}<li aria-current="page">${last.text}</li>
</ol></nav>
`;
}

/** Renders a note if the page does not show the current version, or its version is no longer kept. */
export function renderVersionNote({ mart, current, gone }: VersionLease, address: Address): Html | undefined {
  if (gone !== undefined)
    return html`<div class="version" role="note"><p>Version ${gone} is no longer kept. This is ${mart.version}.</p></div>\n`;
  if (current === mart.version) return undefined;
  return html`<div class="version" role="note"><p>This page shows version ${mart.version}. <a href="/${addressText(address)}">Show the current one, ${current}</a>.</p></div>\n`;
}

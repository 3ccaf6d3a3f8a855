import { type Address, formatAddress, type Link, toAddress } from "../../report/address/address.ts";
import { withDefaultGrouping } from "../../report/address/drill-down.ts";
import { type Html, html } from "../../report/html/html.ts";
import { formatWhere } from "../../report/options/parse-values.ts";
import type { ReportRequest } from "../../report/options/request-options.ts";
import type { Period } from "../../report/result-types.ts";
import { formatDay } from "../../report/text/readable-text.ts";
import { formatAttributeFilter, formatReportTitle } from "../../report/text/titles.ts";
import type { VersionLease } from "../versions/version-pool.ts";
import type { Names } from "./names.ts";

interface Crumb {
  text: string;
  address: Address;
}

/**
 * Filters that narrow a report, widest first. If a campaign is chosen, the kind has no separate breadcrumb,
 * because it is part of the campaign.
 */
const filterOrder = [
  "group",
  "location",
  "where",
  "kind",
  "campaign",
  "item",
  "artist",
  "zone",
  "device",
  "load",
] as const;

/** Returns the breadcrumbs of a page: the whole report, then each filter that narrows it. */
export function listCrumbs(options: ReportRequest, period: Period | undefined, names: Names): Crumb[] {
  const { view, words } = toAddress(options, period);
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
  const crumbs: Crumb[] = [
    {
      text: options.custom?.title ?? formatReportTitle(options.report),
      address: withDefaultGrouping({ view, words: dates }, options.by),
    },
  ];
  let kept: Record<string, string> = dates;
  for (const step of filterOrder) {
    const value = filters[step];
    if (value === undefined) continue;
    if (step === "where") {
      for (const [index, { name, text }] of (options.where ?? []).entries()) {
        kept = { ...kept, where: formatWhere(options.where?.slice(0, index + 1) ?? []) };
        crumbs.push({
          text: formatAttributeFilter({ name, text }),
          address: withDefaultGrouping({ view, words: kept }, options.by),
        });
      }
      continue;
    }
    kept = { ...kept, [step]: value };
    if (step === "kind" && filters.campaign !== undefined) continue;
    crumbs.push({
      text: names.formatFilter(step, value, filters.kind),
      address: withDefaultGrouping({ view, words: kept }, options.by),
    });
  }
  if (period && period.from === period.to && crumbs.length > 1)
    crumbs.push({ text: formatDay(period.to), address: { view, words: kept } });
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

/** Renders a note if the page does not show the current version, or its version was removed. */
export function renderVersionNote(
  { mart, current, removed }: VersionLease,
  address: Address,
): Html | undefined {
  if (removed !== undefined)
    return html`<div class="version" role="note"><p>Version ${removed} is no longer available. This page shows ${mart.version}.</p></div>\n`;
  if (current === mart.version) return undefined;
  return html`<div class="version" role="note"><p>This page shows version ${mart.version}. <a href="/${formatAddress(address)}">Show the current version, ${current}</a>.</p></div>\n`;
}

import type { Address, Link } from "../../report/address/address.ts";
import { parseCalendarPeriod } from "../../report/address/calendar-period.ts";
import { type Html, html } from "../../report/html/html.ts";
import { comparedBy } from "../../report/options/compare-option.ts";
import { selectAttributes } from "../../report/options/known-attributes.ts";
import type { Wording } from "../../report/options/report-option-error.ts";
import { compareWords, type Subject, subjects } from "../../report/options/report-options.ts";
import type { OwnReport } from "../../report/own/own-report.ts";
import type { Period } from "../../report/report.ts";
import { type ReportName, viewOf } from "../../report/report-name.ts";
import {
  definitionOf,
  extraFilterWords,
  listByWordsOf,
  listSubjectsOf,
  takesCampaigns,
} from "../../report/reports.ts";
import { formatDay } from "../../report/text/readable-text.ts";
import { findStep } from "../../report/text/spans.ts";
import { formatAttributeFilter, formatWord } from "../../report/text/titles.ts";
import { contentKinds, kinds } from "../../util/kind.ts";
import { addDays, countDaysBetween, formatWeek } from "../../util/local-date.ts";
import { checkboxes, filtersOf, renderAttributes } from "./bar-fields.ts";
import type { Names } from "./names.ts";

interface BarParts {
  report: ReportName;
  /** The user's report, if `report` is `own`. */
  own?: OwnReport | undefined;
  /** Words of the report's address; as typed if they are invalid, except `where`. */
  words: Address["words"];
  /** Period shown. @default the dates among the words */
  period?: Period | undefined;
  /** Last day of the default period. @default no preset periods */
  lastDay?: string | undefined;
  names: Names;
  asOf: string | undefined;
  link: Link;
}

/**
 * Renders the form that changes the view's period, grouping and filters: a plain form, with plain links for
 * preset periods. On narrow screens, it folds to one line that summarises the choices.
 */
export function renderFilterBar(parts: BarParts): Html {
  const { words, names, asOf } = parts;
  const asked = { report: parts.report, ...(parts.own && { own: parts.own }) };
  const {
    takesPeriod = true,
    isOfKinds = true,
    isOfCampaigns = false,
    states = [],
    takesPlaces = true,
    takesTop,
  } = definitionOf(asked);
  const byWords = listByWordsOf(asked);
  const grouped = { ...asked, by: words.by?.split(",") ?? [] };
  const attributes = selectAttributes(listSubjectsOf(grouped), names.attributes);
  const hasCampaign = takesCampaigns(grouped) || words.campaign !== undefined;
  return html`<form class="bar" method="get" action="/${viewOf(parts)}" aria-label="Change the view">
<details class="fold"><summary>Change: <b>${summarizeFilters(parts)}</b></summary>
${takesPeriod ? renderPeriod(parts) : undefined}
<div class="fields">
${byWords.length > 0 ? renderChoices("by", [...byWords, ...attributes.map(({ name }) => name)], words) : undefined}
${isOfKinds ? renderChoices("kind", isOfCampaigns ? contentKinds : kinds, words) : undefined}
${states.length > 0 ? renderChoices("only", states, words) : undefined}
${hasCampaign ? renderField("campaign", parts) : undefined}
${takesPlaces ? (["zone", "location", "group"] as const).map((name) => html`${renderField(name, parts)}\n`) : undefined}
${renderAttributes(attributes, words.where)}
${renderHidden(words, extraFilterWords)}
${takesTop ? html`<label>${fieldLabels.top} <input name="top" inputmode="numeric" size="4" value="${words.top}" placeholder="all"></label>` : undefined}
${takesTop && words.by !== undefined ? renderChoices("per", words.by.split(","), words) : undefined}
${asOf === undefined ? undefined : html`<input type="hidden" name="as-of" value="${asOf}">`}
<button>Show</button>
</div>
</details>
</form>
`;
}

/** E.g. `2026-11-01 to 2026-11-07, zone Fulton Bar`. */
function summarizeFilters({ words, period, names }: BarParts): string {
  const { compare, by, kind, only, top, per, from, to, where } = words;
  const filters = [...subjects, ...extraFilterWords].map(
    (word) => [word, formatFieldValue(word, words, names)] as const,
  );
  const entries: (readonly [string, string | undefined])[] = [
    ["", period ? `${period.from} to ${period.to}` : [from, to].filter(Boolean).join(" to ")],
    ["compared with", compare && formatComparison(compare)],
    ["grouped by", by && formatWords(by)],
    ["", kind && formatWords(kind)],
    ["only", only && formatWords(only)],
    ...filters,
    ...filtersOf(where).map((filter) => ["with", formatAttributeFilter(filter)] as const),
    ["maximum rows", top],
    ["for each", per && formatWords(per)],
  ];
  const all = entries.filter(([, text]) => text).map(([word, text]) => `${word} ${text}`.trim());
  return all.length === 0 ? "everything" : all.join(", ");
}

function formatFieldValue(word: string, words: Address["words"], names: Names): string {
  const subject = subjects.find((one) => one === word);
  const value = words[word] ?? "";
  return subject ? names.formatField(subject, value, words.kind) : value;
}

/** Renders filters that have no visible field. */
function renderHidden(words: Address["words"], kept: readonly string[]): Html[] {
  return kept.flatMap((word) => {
    const value = words[word];
    return value === undefined ? [] : [html`<input type="hidden" name="${word}" value="${value}">`];
  });
}

function renderPeriod(parts: BarParts): Html {
  const { report, own, words, period, lastDay } = parts;
  const isComparable = own !== undefined || comparedBy[report] !== undefined;
  return html`<div class="fields period">
<label>${fieldLabels.from} <input type="date" name="from" value="${period?.from ?? words.from}"></label>
<label>to <input type="date" name="to" value="${period?.to ?? words.to}"></label>
${report === "schedule" ? undefined : html`<label>or <input type="text" name="period" size="12" placeholder="7d, 2026-10" title="yesterday, a number of days up to the last complete one such as 7d, a week such as 2026-W47, a month, or a quarter such as 2026-Q4" autocomplete="off" spellcheck="false"></label>`}
${period && lastDay !== undefined ? renderUsualPeriods(parts, period, lastDay) : undefined}
${isComparable ? renderCompare(words.compare) : undefined}
</div>`;
}

/** Counted from the end of the data, not from today. */
function renderUsualPeriods(parts: BarParts, shown: Period, to: string): Html {
  const { words, link } = parts;
  const month = parseCalendarPeriod(to.slice(0, 7)) ?? shown;
  // The latest week whose Sunday has complete data.
  const week = parseCalendarPeriod(formatWeek(addDays(to, -6))) ?? shown;
  const presets: [string, Period][] = [
    ["Last day", { from: to, to }],
    ["7 days", { from: addDays(to, -6), to }],
    ["28 days", { from: addDays(to, -27), to }],
    ["90 days", { from: addDays(to, -89), to }],
    ["Last week", week],
    ["This month", { from: month.from, to }],
    ["Last month", parseCalendarPeriod(addDays(month.from, -1).slice(0, 7)) ?? shown],
  ];
  return html`<span class="presets">${presets.map(([text, span]) => {
    const isHere = span.from === shown.from && span.to === shown.to;
    const href = link({ view: viewOf(parts), words: { ...dropUnevenComparison(words, span), ...span } });
    return html`<a href="${href}"${isHere ? html` aria-current="true"` : undefined}>${text}</a>\n`;
  })}</span>`;
}

/**
 * Drops a comparison that the new period may make invalid: for rows over time, both periods must have as many
 * days. Also drops the sort order, which may name one of the comparison's columns.
 */
function dropUnevenComparison(words: Address["words"], { from, to }: Period): Address["words"] {
  const { compare = "", sort: _sort, ...others } = words;
  const [first = "", last] = compare.split("..");
  if (
    findStep(words.by?.split(",") ?? []) === undefined ||
    last === undefined ||
    countDaysBetween(first, last) === countDaysBetween(from, to)
  )
    return words;
  return others;
}

/** Renders a choice of the preset comparisons, and the dates of any other comparison. */
function renderCompare(chosen = ""): Html {
  const presets: readonly string[] = ["", ...compareWords];
  const choices = presets.includes(chosen) ? presets : [...presets, chosen];
  return html`<label>${fieldLabels.compare} <select name="compare">${choices.map(
    (value) =>
      html`<option value="${value}"${value === chosen ? html` selected` : undefined}>${formatComparison(value)}</option>`,
  )}</select></label>
<details class="choose"><summary>another period</summary><fieldset><legend class="unseen">Compare with another period</legend>
<label>From <input type="date" name="compare-from"></label>
<label>to <input type="date" name="compare-to"></label></fieldset></details>`;
}

const comparedNames = { "": "none", before: "the previous period", "4-weeks-ago": "four weeks earlier" };

function formatComparison(compare: string): string {
  return Object.hasOwn(comparedNames, compare)
    ? comparedNames[compare as keyof typeof comparedNames]
    : compare.replace("..", " to ");
}

/** Renders checkboxes for a short list of values. */
function renderChoices(
  name: "by" | "kind" | "only" | "per",
  all: readonly string[],
  words: Address["words"],
): Html {
  const label = fieldLabels[name];
  const chosen = words[name]?.split(",") ?? [];
  const shown =
    chosen.length > 0 ? chosen.map(formatWord).join(", ") : name === "by" || name === "per" ? "none" : "all";
  return checkboxes({ label, field: name, all, chosen, shown, textOf: formatWord });
}

/** Renders a text field that suggests values by name or number; several are separated by commas. */
function renderField(name: Subject, { words, names }: BarParts): Html {
  return html`<label>${fieldLabels[name]} <input type="text" name="${name}" list="${name}-choices" value="${formatFieldValue(name, words, names)}" size="12" placeholder="all" autocomplete="off" spellcheck="false"></label>
<datalist id="${name}-choices">${names.choices[name].map(
    ({ id, text, detail }) => html`<option value="${text}">${detail ? `${id}, ${detail}` : id}</option>`,
  )}</datalist>`;
}

function formatWords(list: string): string {
  return list.split(",").map(formatWord).join(", ");
}

/** Renders a search for a text in any column; the rest of the view is kept. */
export function renderSearch({ view, words }: Address, asOf: string | undefined): Html {
  const { search = "", ...others } = { ...words, ...(asOf !== undefined && { "as-of": asOf }) };
  const kept = Object.entries(others).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form class="search" method="get" action="/${view}" role="search">${kept}
<label>Search <input type="search" name="search" value="${search}" maxlength="200" autocomplete="off" spellcheck="false"></label>
<button>Find</button></form>`;
}

const fieldLabels = {
  by: "Group by",
  from: "From",
  to: "To",
  compare: "Compare with",
  kind: "Kind",
  only: "State",
  campaign: "Campaign",
  zone: "Zone",
  location: "Location",
  group: "Group",
  where: "Filter",
  item: "Item",
  artist: "Artist",
  device: "Device",
  load: "Load",
  top: "Maximum rows",
  per: "For each",
  search: "Search",
  sort: "Order",
  date: "Date",
  explain: "This page",
} as const;

/** Wording of messages on pages, where nobody types flags. */
export const pageWording: Wording = {
  option: (option) => {
    const word = option.replace(/^--/, "");
    const label = Object.hasOwn(fieldLabels, word) ? fieldLabels[word as keyof typeof fieldLabels] : word;
    return /\s/.test(label) && word !== "explain" ? `"${label}"` : label;
  },
  date: formatDay,
  listing: () => "",
};

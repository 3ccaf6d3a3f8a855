import type { Address, Link } from "../../report/address/address.ts";
import {
  chooseRows,
  listDimensions,
  type ReportEntry,
  takesCampaignAttributes,
  takesPeriod,
} from "../../report/catalog/report-entry.ts";
import { type Html, html } from "../../report/html/html.ts";
import { selectAttributes } from "../../report/options/known-attributes.ts";
import type { Wording } from "../../report/options/option-error.ts";
import { idWords, isTaken, listWords, requestOptions, type Word } from "../../report/options/option-list.ts";
import { resolvePeriod } from "../../report/options/period-option.ts";
import { compareWords, type Subject, subjects } from "../../report/options/request-options.ts";
import type { Period } from "../../report/result-types.ts";
import { formatDay } from "../../report/text/readable-text.ts";
import { findStep } from "../../report/text/spans.ts";
import { formatAttributeFilter, formatWord } from "../../report/text/titles.ts";
import { contentKinds, kinds } from "../../util/kind.ts";
import { countDaysBetween } from "../../util/local-date.ts";
import { checkboxes, filtersOf, renderAttributes } from "./bar-fields.ts";
import type { Names } from "./names.ts";

interface BarParts {
  entry: ReportEntry;
  /** Arguments of the report's address; as typed if they are invalid, except `where`. */
  words: Address["words"];
  /** Period shown. @default the dates among the arguments */
  period?: Period | undefined;
  /** Last day of the default period. @default no preset periods */
  lastDay?: string | undefined;
  names: Names;
  asOf: string | undefined;
  /** True for a customer, who sees only the plays of some campaigns. */
  isShared: boolean;
  link: Link;
}

/**
 * Renders the form that changes the view's period, grouping and filters: a plain form, with plain links for
 * preset periods. On narrow screens, it folds to one line that summarises the choices.
 */
export function renderFilterBar(parts: BarParts): Html {
  const { entry, words, names, asOf } = parts;
  const { states = [], isExplained, leadsToCampaigns, top } = entry;
  const by = words.by?.split(",") ?? [];
  const dimensionNames = listDimensions(entry);
  const { attributes: subjects } = chooseRows(entry, by);
  const ofCampaigns = takesCampaignAttributes(entry, by, parts.isShared) ? (["campaign"] as const) : [];
  const grouping = selectAttributes([...subjects, ...ofCampaigns], names.attributes);
  // Play ratios are relative to all campaigns, so these must not be filtered.
  const filtering = selectAttributes(leadsToCampaigns ? ["zone"] : subjects, names.attributes);
  const takes = (word: Word) => isTaken(entry, word, by);
  return html`<form class="bar" method="get" action="/${entry.name}" aria-label="Change the view">
<details class="fold"><summary>Change: <b>${summarizeFilters(parts)}</b></summary>
${takesPeriod(entry) ? renderPeriod(parts) : undefined}
<div class="fields">
${dimensionNames.length > 0 ? renderChoices("by", [...dimensionNames, ...grouping.map(({ name }) => name)], words) : undefined}
${takes("kind") ? renderChoices("kind", isExplained || leadsToCampaigns ? contentKinds : kinds, words) : undefined}
${states.length > 0 && takes("only") ? renderChoices("only", states, words) : undefined}
${takes("campaign") || words.campaign !== undefined ? renderField("campaign", parts) : undefined}
${(["zone", "location", "group"] as const).filter(takes).map((name) => html`${renderField(name, parts)}\n`)}
${renderAttributes(filtering, words.where)}
${takes("within") ? html`<label>${requestOptions.within.label} <input name="within" inputmode="numeric" size="4" value="${words.within}" placeholder="60"></label>` : undefined}
${renderHidden(words)}
${top ? html`<label>${requestOptions.top.label} <input name="top" inputmode="numeric" size="4" value="${words.top}" placeholder="all"></label>` : undefined}
${top && by.length > 0 ? renderChoices("per", by, words) : undefined}
${asOf === undefined ? undefined : html`<input type="hidden" name="as-of" value="${asOf}">`}
<button>Show</button>
</div>
</details>
</form>
`;
}

/** E.g. `2026-11-01 to 2026-11-07, zone Fulton Bar`. */
function summarizeFilters({ words, period, names }: BarParts): string {
  const { compare, by, kind, only, within, top, per, from, to, where } = words;
  const filters = [...subjects, ...idWords.map(({ word }) => word)].map(
    (word) => [word, formatFieldValue(word, words, names)] as const,
  );
  const entries: (readonly [string, string | undefined])[] = [
    ["", period ? `${period.from} to ${period.to}` : [from, to].filter(Boolean).join(" to ")],
    ["compared with", compare && formatComparison(compare)],
    ["grouped by", by && formatWords(by)],
    ["", kind && formatWords(kind)],
    ["only", only && formatWords(only)],
    ["within minutes:", within],
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
function renderHidden(words: Address["words"]): Html[] {
  return idWords.flatMap(({ word }) => {
    const value = words[word];
    return value === undefined ? [] : [html`<input type="hidden" name="${word}" value="${value}">`];
  });
}

function renderPeriod(parts: BarParts): Html {
  const { words, period, lastDay } = parts;
  const { isAhead, compared } = parts.entry;
  return html`<div class="fields period">
<label>${requestOptions.from.label} <input type="date" name="from" value="${period?.from ?? words.from}"></label>
<label>to <input type="date" name="to" value="${period?.to ?? words.to}"></label>
${isAhead ? undefined : html`<label>or <input type="text" name="period" size="12" placeholder="7d, 2026-10" title="yesterday, this-week, last-week, this-month, last-month, a number of days up to the last complete one such as 7d, a week such as 2026-W47, a month, or a quarter such as 2026-Q4" autocomplete="off" spellcheck="false"></label>`}
${period && lastDay !== undefined ? renderUsualPeriods(parts, period, lastDay) : undefined}
${compared !== undefined ? renderCompare(words.compare) : undefined}
</div>`;
}

/** Renders links to preset periods, counted from the end of the data, not from today. */
function renderUsualPeriods(parts: BarParts, shown: Period, to: string): Html {
  const { words, link } = parts;
  const presets = [
    ["Last day", "yesterday"],
    ["7 days", "7d"],
    ["28 days", "28d"],
    ["90 days", "90d"],
    ["Last week", "last-week"],
    ["This month", "this-month"],
    ["Last month", "last-month"],
  ].map(([text = "", from = ""]): [string, Period] => [text, resolvePeriod({ from }, to)]);
  return html`<span class="presets">${presets.map(([text, span]) => {
    const isHere = span.from === shown.from && span.to === shown.to;
    const href = link({ view: parts.entry.name, words: { ...dropUnevenComparison(words, span), ...span } });
    return html`<a href="${href}"${isHere ? html` aria-current="true"` : undefined}>${text}</a>\n`;
  })}</span>`;
}

/**
 * Drops a comparison that the new period may make invalid: for rows over time, both periods need the same number
 * of days. Also drops the sort order, which may name one of the comparison's columns.
 */
function dropUnevenComparison(words: Address["words"], { from, to }: Period): Address["words"] {
  const { compare = "", sort: _sort, ...others } = words;
  const [first = "", last] = compare.split("..");
  if (
    findStep(words.by?.split(",") ?? []) === undefined ||
    compareWords.some((word) => word === compare) ||
    compare === "" ||
    (last !== undefined && countDaysBetween(first, last) === countDaysBetween(from, to))
  )
    return words;
  return others;
}

/** Renders a choice of the preset comparisons, and the dates of any other comparison. */
function renderCompare(chosen = ""): Html {
  const presets: readonly string[] = ["", ...compareWords];
  const choices = presets.includes(chosen) ? presets : [...presets, chosen];
  return html`<label>${requestOptions.compare.label} <select name="compare">${choices.map(
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
  const { label } = requestOptions[name];
  const chosen = words[name]?.split(",") ?? [];
  const shown =
    chosen.length > 0 ? chosen.map(formatWord).join(", ") : name === "by" || name === "per" ? "none" : "all";
  return checkboxes({ label, field: name, all, chosen, shown, textOf: formatWord });
}

/** Renders a text field that suggests values by name or number; several are separated by commas. */
function renderField(name: Subject, { words, names }: BarParts): Html {
  return html`<label>${requestOptions[name].label} <input type="text" name="${name}" list="${name}-choices" value="${formatFieldValue(name, words, names)}" size="12" placeholder="all" autocomplete="off" spellcheck="false"></label>
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

/** Labels of arguments without a field. */
const otherLabels: Readonly<Record<string, string>> = { date: "Date", explain: "This page" };

/** Wording of messages on pages, where nobody types flags. */
export const pageWording: Wording = {
  option: (option) => {
    const word = option.replace(/^--/, "");
    const [, { label } = { label: otherLabels[word] ?? word }] =
      listWords().find(([one]) => one === word) ?? [];
    return /\s/.test(label) && word !== "explain" ? `"${label}"` : label;
  },
  date: formatDay,
  listing: () => "",
};

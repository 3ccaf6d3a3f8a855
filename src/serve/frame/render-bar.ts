import { addressOf, type Link } from "../../report/address/address.ts";
import { spanOf } from "../../report/address/span-of.ts";
import { byWordsOf } from "../../report/columns/report-columns.ts";
import { type Html, html } from "../../report/html/html.ts";
import { comparedBy, compareText } from "../../report/options/compare-option.ts";
import {
  type AskedReport,
  type Compare,
  compareWords,
  complianceStates,
} from "../../report/options/report-options.ts";
import type { Period } from "../../report/report.ts";
import { alsoOfWords, reports } from "../../report/reports.ts";
import { addDays } from "../../report/text/local-date.ts";
import { kinds } from "../../util/kind.ts";
import type { Names } from "./names.ts";

export interface BarParts {
  options: AskedReport;
  period: Period | undefined;
  /** The last day that reports cover where no other is asked for. */
  lastDay: string | undefined;
  names: Names;
  asOf: string | undefined;
  link: Link;
}

/**
 * What changes the view: period, rows, what it is narrowed to. A plain form, and plain links for usual periods. Where
 * there is little room, one line says what is chosen, and opens it.
 */
export function renderBar(parts: BarParts): Html {
  const { options, period, names, asOf } = parts;
  const { report, by, chosen, onlyStates = [], top } = options;
  const { file, isOfKinds = true, isOfCampaigns = false, takesTop } = reports[report];
  const words = byWordsOf(file);
  return html`<form class="bar" method="get" action="/${report}" aria-label="Change the view">
<details class="fold"><summary>Change: <b>${sayChosen(options, period)}</b></summary>
${renderPeriod(parts)}
<div class="fields">
${words.length > 0 ? choose("by", "A row per", words, by) : undefined}
${isOfKinds ? choose("kind", "Kind", kinds, options.kinds) : undefined}
${isOfCampaigns ? choose("only", "Only days", complianceStates, onlyStates) : undefined}
${isOfCampaigns ? pick("campaign", chosen.campaign, names) : undefined}
${pick("zone", chosen.zone, names)}
${pick("location", chosen.location, names)}
${pick("group", chosen.group, names)}
${hidden(addressOf(options).words, alsoOfWords)}
${takesTop ? html`<label>Largest <input name="top" inputmode="numeric" size="5" value="${top}"></label>` : undefined}
${asOf === undefined ? undefined : html`<input type="hidden" name="as-of" value="${asOf}">`}
<button>Show</button>
</div>
</details>
</form>
`;
}

/** E.g. `2026-11-01 to 2026-11-07, zone 81003`. */
function sayChosen(
  { by, kinds, onlyStates = [], chosen, top, compare }: AskedReport,
  period: Period | undefined,
): string {
  const picked = Object.entries(chosen).map(([word, values]) => [word, values ?? []] as const);
  const words: (readonly [string, readonly string[]])[] = [
    ["compared with", compare === undefined ? [] : [comparedText(compare)]],
    ["a row per", by],
    ["", kinds],
    ["only", onlyStates],
    ...picked,
    ["largest", top === undefined ? [] : [String(top)]],
  ];
  const said = words
    .filter(([, values]) => values.length > 0)
    .map(([word, values]) => `${word} ${values.map(wordText).join(", ")}`.trim());
  const all = [...(period ? [`${period.from} to ${period.to}`] : []), ...said];
  return all.length === 0 ? "everything" : all.join(", ");
}

/** What the view is narrowed to, and no field shows. */
function hidden(words: Readonly<Record<string, string>>, kept: readonly string[]): Html[] {
  return kept.flatMap((word) => {
    const value = words[word];
    return value === undefined ? [] : [html`<input type="hidden" name="${word}" value="${value}">`];
  });
}

function renderPeriod({ options, period, lastDay, link }: BarParts): Html | undefined {
  if (!period) return undefined;
  const to = lastDay ?? period.to;
  const month = spanOf(to.slice(0, 7)) ?? period;
  const before = spanOf(addDays(month.from, -1).slice(0, 7)) ?? period;
  const usual: [string, Period][] = [
    ["7 days", { from: addDays(to, -6), to }],
    ["28 days", { from: addDays(to, -27), to }],
    ["90 days", { from: addDays(to, -89), to }],
    ["This month", { from: month.from, to }],
    ["Last month", before],
  ];
  return html`<div class="fields period">
<label>From <input type="date" name="from" value="${period.from}"></label>
<label>to <input type="date" name="to" value="${period.to}"></label>
<span class="usual">${usual.map(([text, span]) => {
    const isHere = span.from === period.from && span.to === period.to;
    return html`<a href="${link(addressOf(options, span))}"${isHere ? html` aria-current="true"` : undefined}>${text}</a>\n`;
  })}</span>
${comparedBy[options.report] === undefined ? undefined : renderCompare(options)}
</div>`;
}

/** Usual ones from a list; of any other period its dates. */
function renderCompare({ compare }: AskedReport): Html {
  const given = typeof compare === "object" ? [compare] : [];
  const choices = [...compareWords, ...given].map((one) => [compareText(one), comparedText(one)]);
  const text = compare && compareText(compare);
  return html`<label>Compare with <select name="compare">${[["", "nothing"], ...choices].map(
    ([value, name]) =>
      html`<option value="${value}"${value === (text ?? "") ? html` selected` : undefined}>${name}</option>`,
  )}</select></label>
<details class="choose"><summary>another period</summary><fieldset><legend class="unseen">Compare with another period</legend>
<label>From <input type="date" name="compare-from"></label>
<label>to <input type="date" name="compare-to"></label></fieldset></details>`;
}

const comparedNames = { before: "the days before", "4-weeks-ago": "four weeks ago" };

function comparedText(compare: Compare): string {
  return typeof compare === "string" ? comparedNames[compare] : `${compare.from} to ${compare.to}`;
}

/** Several of a few. */
function choose(name: string, label: string, words: readonly string[], chosen: readonly string[]): Html {
  const said = chosen.length === 0 ? "all" : chosen.map(wordText).join(", ");
  const shown = name === "by" && chosen.length === 0 ? "none" : said;
  return html`<details class="choose"><summary>${label}: <b>${shown}</b></summary><fieldset><legend class="unseen">${label}</legend>
${words.map(
  (word) =>
    html`<label><input type="checkbox" name="${name}" value="${word}"${chosen.includes(word) ? html` checked` : undefined}> ${wordText(word)}</label>\n`,
)}</fieldset></details>`;
}

/** One of many, found by name or number as one types; several with commas between. */
function pick(name: keyof Names["choices"], words: readonly string[] = [], { choices }: Names): Html {
  return html`<label>${name.charAt(0).toUpperCase()}${name.slice(1)} <input type="text" name="${name}" list="${name}-choices" value="${words.join(",")}" size="12" placeholder="all" autocomplete="off" spellcheck="false"></label>
<datalist id="${name}-choices">${choices[name].map(
    ({ id, name: text, kind }) => html`<option value="${id}">${kind ? `${text} (${kind})` : text}</option>`,
  )}</datalist>`;
}

function wordText(word: string): string {
  return word.replaceAll("_", " ");
}

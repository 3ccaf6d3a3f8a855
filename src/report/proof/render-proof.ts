import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../util/files/package-files.ts";
import { formatWeek } from "../../util/local-date.ts";
import { type PartsChart, palette } from "../html/charts/chart.ts";
import { renderChart } from "../html/charts/render-chart.ts";
import { pageStyle } from "../html/frame/render-page.ts";
import { type Html, html, Html as Markup } from "../html/html.ts";
import type { ReportValue } from "../report.ts";
import {
  formatCount,
  formatDuration,
  formatMoment,
  formatPeriod,
  formatShortSpan,
} from "../text/readable-text.ts";
import { type Brand, hashBrand } from "./brand.ts";
import type { ProofDocument } from "./build-proof.ts";
import {
  formatProofTable,
  hashProofRows,
  type ProofRow,
  type ProofTable,
  proofTableNames,
} from "./proof-tables.ts";
import {
  claimProof,
  describeAttribution,
  describeProofData,
  describeProofScope,
  listProofFacts,
  proofDefinitions,
  stateReasons,
  titleProof,
} from "./proof-text.ts";
import { type DaySpan, type ProofSummary, summarizeProof, type Tally, tally } from "./summarize-proof.ts";

/**
 * Renders a proof as one file, which loads nothing and runs no script. The same document always gives the same text.
 * `read-proof.ts` reads it back.
 */
export function renderProofHtml(document: ProofDocument): string {
  const summary = summarizeProof(document);
  const { source, program, brand } = document;
  const title = titleProof(document, summary);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(createProofPolicy(brand))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="venue-proof" content="${encodeFrame(document)}">
<title>${title}, ${formatPeriod(document.scope.period)}</title>
<style>${new Markup(proofStyle)}</style>
</head>
<body class="proof">
<header>
${renderLetterhead(brand)}<h1>${title}</h1>
<p class="headline">${claimProof(document, summary)}</p>
<p class="scope">${describeProofScope(document, summary).join(" · ")}</p>
</header>
<main>
<ul class="facts">${listProofFacts(document, summary).map(
    ({ label, value, note }) =>
      html`<li><span class="label">${label}</span><span class="value">${value}</span><span class="note">${note}</span></li>\n`,
  )}</ul>
${renderText("How plays were attributed", describeAttribution(summary))}
${renderText("Coverage and age of the data", describeProofData(document, summary))}
${drawWeeks(document, summary)}
${summary.campaigns.length > 1 ? renderTallies("Campaigns", "Campaign", summary.campaigns, summary.total) : undefined}
${renderTallies("Days", "Date", summary.days, summary.total)}
${renderSpans("Missed days", summary.missed, summary, "No day was missed.")}
${renderSpans("Days without a result", summary.withoutResult, summary, "Every scheduled day has a result.")}
${renderVenues(summary)}
${renderAssets(summary)}
<section aria-labelledby="definitions"><h2 id="definitions">Definitions</h2>
<dl>${proofDefinitions.map(([term, meaning]) => html`<div><dt>${term}</dt><dd>${meaning}</dd></div>\n`)}</dl></section>
${renderRows(document)}
</main>
<footer><p>Published version ${source.version}${source.builtAt === null ? undefined : `, built ${formatMoment(source.builtAt)}`}. Written by venue-analytics ${program}.</p></footer>
</body>
</html>
`.text;
}

/** Returns a policy that allows the document's own styles and images inside it, and nothing else. */
export function createProofPolicy(brand: Brand): string {
  const styles = [proofStyle, letterheadStyle(brand)].map(
    (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
  return `default-src 'none'; style-src ${styles.join(" ")}; img-src data:; base-uri 'none'; form-action 'none'`;
}

const folder = join(packageRoot, "src", "report", "html", "assets");
const proofStyle = `${pageStyle}${readFileSync(join(folder, "proof.css"), "utf8")}`;

/** Encodes everything that the document shows, other than its rows and its logo. */
function encodeFrame({ scope, source, program, brand: { css, about } }: ProofDocument): string {
  return Buffer.from(JSON.stringify({ scope, source, program, brand: { css, about } })).toString("base64");
}

/** The letterhead has a shadow root, so that the brand's style applies only to it. */
function renderLetterhead(brand: Brand): Html | undefined {
  const { logo, about } = brand;
  if (logo === undefined && about === undefined) return undefined;
  const image =
    logo === undefined
      ? undefined
      : html`<img class="logo" alt="" src="data:image/svg+xml;base64,${Buffer.from(logo).toString("base64")}">`;
  return html`<div class="letterhead"><div><template shadowrootmode="open"><style>${new Markup(letterheadStyle(brand))}</style>
${image}
<div class="about">${listParagraphs(about ?? "").map((text) => (text.startsWith("#") ? html`<h2>${text.replace(/^#+ */, "")}</h2>` : html`<p>${text}</p>`))}</div></template></div></div>
`;
}

/** Splits a text at blank lines, and before and after headings. */
function listParagraphs(text: string): string[] {
  return text
    .replaceAll(/^#.*$/gm, "\n\n$&\n\n")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "");
}

function letterheadStyle({ css = "" }: Brand): string {
  const own = `:host{font-size:.875rem;line-height:1.4}.logo{max-width:14rem;max-height:4.5rem}h2{margin:.4rem 0 0;font-size:1rem}p{margin:.3rem 0}\n`;
  // A style element ends at the first </style>, even within a comment.
  return `${own}${css.replaceAll("</", "<\\/")}`;
}

function renderText(title: string, sentences: readonly string[]): Html {
  const id = title.toLowerCase().replaceAll(" ", "-");
  return html`<section class="whole" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${sentences.map((sentence) => html`<p>${sentence}</p>\n`)}</section>`;
}

type Cell = string | Html;

interface Table {
  title: string;
  head: readonly string[];
  rows: readonly (readonly Cell[])[];
  foot?: readonly Cell[];
  /** Columns of text; all others are numbers. The first is the row's name. */
  texts?: readonly number[];
  note?: string;
}

const isDate = /^\d{4}-\d\d-\d\d$/;

function renderTable({ title, head, rows, foot, texts = [], note }: Table): Html {
  const id = title.toLowerCase().replaceAll(" ", "-");
  const formatRow = (cells: readonly Cell[]) =>
    html`<tr>${cells.map((cell, at) =>
      at === 0
        ? html`<th scope="row"${isDate.test(String(cell)) ? html` class="period"` : undefined}><bdi>${cell}</bdi></th>`
        : html`<td${texts.includes(at) ? undefined : html` class="number"`}><bdi>${cell}</bdi></td>`,
    )}</tr>\n`;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${note === undefined ? undefined : html`<p>${note}</p>`}
<div class="scroll" role="region" tabindex="0" aria-label="${title}"><table>
<thead><tr>${head.map((name, at) => html`<th scope="col"${at === 0 || texts.includes(at) ? undefined : html` class="number"`}>${name}</th>`)}</tr></thead>
<tbody>${rows.map(formatRow)}</tbody>
${foot && html`<tfoot>${formatRow(foot)}</tfoot>`}</table></div></section>
`;
}

/** Figures of a tally, each with what limits it in a column next to it. A column without any value is left out. */
const tallyColumns: readonly { title: string; of: (tally: Tally) => number | null; isAlways?: boolean }[] = [
  { title: "Scheduled", of: ({ scheduled }) => scheduled, isAlways: true },
  { title: "of these, assumed", of: ({ assumed }) => assumed },
  { title: "Ran", of: ({ ran }) => ran, isAlways: true },
  { title: "of these, with shared plays only", of: ({ ranShared }) => ranShared },
  { title: "Missed", of: ({ missed }) => missed, isAlways: true },
  { title: "Missed, player down", of: ({ missedOffline }) => missedOffline },
  { title: "Closed", of: ({ closed }) => closed },
  { title: "Not measurable", of: ({ notMeasurable }) => notMeasurable, isAlways: true },
  { title: "Pending", of: ({ pending }) => pending },
  { title: "Exclusive plays", of: ({ exclusivePlays }) => exclusivePlays, isAlways: true },
  { title: "Shared plays (not proven)", of: ({ sharedPlays }) => sharedPlays },
  { title: "Plays of pending days", of: ({ pendingPlays }) => pendingPlays },
  { title: "Due times", of: ({ due }) => due },
  { title: "Met", of: ({ met }) => met },
  { title: "of these, perhaps by another campaign", of: ({ metShared }) => metShared },
];

function chooseTallyColumns(total: Tally): typeof tallyColumns {
  return tallyColumns.filter(({ of, isAlways }) => isAlways || (of(total) ?? 0) > 0);
}

function formatTally(columns: typeof tallyColumns, counted: Tally): string[] {
  return columns.map(({ of }) => {
    const value = of(counted);
    return value === null ? "–" : formatCount(value);
  });
}

function renderTallies(
  title: string,
  subject: string,
  rows: readonly { label: string; tally: Tally }[],
  total: Tally,
): Html {
  const columns = chooseTallyColumns(total);
  return renderTable({
    title,
    head: [subject, ...columns.map(({ title: name }) => name)],
    rows: rows.map(({ label, tally: counted }) => [label, ...formatTally(columns, counted)]),
    foot: ["Total", ...formatTally(columns, total)],
  });
}

function renderVenues({ venues, total }: ProofSummary): Html {
  const columns = chooseTallyColumns(total);
  return renderTable({
    title: "Venues",
    head: ["Zone", ...columns.map(({ title }) => title)],
    rows: venues.map(({ label, venue, tally: counted }) => [
      html`${label} (${String(venue.zone_id)})${describePlace(venue).map((line) => html`<span class="place">${line}</span>`)}`,
      ...formatTally(columns, counted),
    ]),
    foot: ["Total", ...formatTally(columns, total)],
  });
}

/** Returns a zone's location, address and coordinates, each in a line. */
function describePlace(venue: ProofRow): string[] {
  const { location_name: name, street, zip, city, address_state: state, latitude, longitude } = venue;
  const isGiven = (part: ReportValue | undefined) => part !== null && part !== undefined && part !== "";
  const town = [zip, city].filter(isGiven).join(" ");
  const address = [street, town, state].filter(isGiven).join(", ");
  return [
    isGiven(name) ? String(name) : "Location unknown",
    address === "" ? "Address unknown" : address,
    latitude === null || longitude === null
      ? "Coordinates unknown"
      : `${Number(latitude).toFixed(5)}, ${Number(longitude).toFixed(5)}`,
  ];
}

function renderAssets({ assets, total }: ProofSummary): Html {
  const hasPending = assets.some(({ pendingPlays }) => pendingPlays > 0);
  const plays = total.sharedPlays === 0 ? "Plays (all exclusive)" : "Plays, exclusive or shared";
  return renderTable({
    title: "Assets",
    ...(total.sharedPlays > 0 && {
      note: "Shared plays are counted here for each campaign that can claim them; they are not proven.",
    }),
    head: ["Asset", plays, "Time", "Zones", "Days", ...(hasPending ? ["Plays of pending days"] : [])],
    rows: assets.map(({ label, plays: count, playSeconds, zones, days, pendingPlays }) => [
      label,
      formatCount(count),
      formatDuration(playSeconds),
      formatCount(zones),
      formatCount(days),
      ...(hasPending ? [formatCount(pendingPlays)] : []),
    ]),
  });
}

function renderSpans(
  title: string,
  spans: readonly DaySpan[],
  { campaigns }: ProofSummary,
  none: string,
): Html {
  if (spans.length === 0) return renderText(title, [none]);
  const hasCampaigns = campaigns.length > 1;
  return renderTable({
    title,
    head: ["Zone", ...(hasCampaigns ? ["Campaign"] : []), "Dates", "Days", "Reason"],
    texts: hasCampaigns ? [1, 2, 4] : [1, 3],
    rows: spans.map(({ zone, campaign, from, to, days, state }) => [
      zone,
      ...(hasCampaigns ? [campaign] : []),
      html`<span class="period">${from === to ? from : `${from} to ${to}`}</span>`,
      formatCount(days),
      stateReasons[state],
    ]),
  });
}

/** Draws the outcomes of zone days by week. */
function drawWeeks({ rows }: ProofDocument, { total }: ProofSummary): Html | undefined {
  const scheduled = rows.days.filter(({ state }) => state !== "unscheduled");
  if (scheduled.length === 0) return undefined;
  const weeks = new Map<string, (typeof scheduled)[number][]>();
  for (const row of scheduled) {
    const week = formatWeek(String(row.date));
    weeks.set(week, [...(weeks.get(week) ?? []), row]);
  }
  const parts: PartsChart["parts"] = [
    { label: "ran", colour: palette.blue },
    { label: "ran, shared plays only", colour: palette.green, pattern: "dots" },
    { label: "missed", colour: palette.orange, pattern: "stripes" },
    { label: "missed, player down", colour: palette.purple, pattern: "bars" },
    { label: "closed", colour: palette.line },
    { label: "not measurable", colour: palette.grey, pattern: "dots" },
    { label: "pending", colour: palette.amber, pattern: "stripes" },
  ];
  return renderChart(
    {
      kind: "parts",
      title: "Outcomes by week",
      summary: `${formatCount(total.ran)} of ${formatCount(total.scheduled)} scheduled zone days ran.`,
      subject: "week",
      parts,
      rows: [...weeks].sort().map(([week, days]) => {
        const counted = tally(days);
        return {
          label: formatShortSpan(week),
          values: [
            counted.ran - counted.ranShared,
            counted.ranShared,
            counted.missed,
            counted.missedOffline,
            counted.closed,
            counted.notMeasurable,
            counted.pending,
          ],
        };
      }),
    },
    "weeks",
  );
}

/** Returns the name under which a table of rows is downloaded. */
export function nameRowFile(table: ProofTable): string {
  return `proof-${table}.csv`;
}

function renderRows(document: ProofDocument): Html {
  const { rows, source, brand } = document;
  const files = proofTableNames.map((table) => nameRowFile(table));
  return html`<section class="whole" aria-labelledby="rows"><h2 id="rows">Underlying rows</h2>
<p>Every figure above is counted from these rows, which this file contains.</p>
<ul class="files">${proofTableNames.map((table) => {
    const data = Buffer.from(formatProofTable(table, rows[table])).toString("base64");
    return html`<li><a download="${nameRowFile(table)}" href="data:text/csv;charset=utf-8;base64,${data}">${nameRowFile(table)}</a> ${formatCount(rows[table].length)} rows</li>\n`;
  })}</ul>
<p>Published version: <b>${source.version}</b></p>
<p class="hash">SHA-256 of the rows: <code>${hashProofRows(rows)}</code> (cat ${files.join(" ")} | sha256sum)</p>
<p class="hash">SHA-256 of the letterhead: <code>${hashBrand(brand)}</code></p>
<p>The company that holds the data can recompute the rows and compare this document with them: venue proof verify FILE.</p></section>`;
}

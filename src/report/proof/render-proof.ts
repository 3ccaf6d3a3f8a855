import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { packageRoot } from "../../util/files/package-files.ts";
import { formatWeek } from "../../util/local-date.ts";
import { type PartsChart, palette } from "../html/charts/chart.ts";
import { renderChart } from "../html/charts/render-chart.ts";
import { pageStyle } from "../html/frame/render-page.ts";
import { type Html, html, Html as Markup } from "../html/html.ts";
import { formatCount, formatMoment, formatPeriod, formatShortSpan } from "../text/readable-text.ts";
import { type Brand, hashBrand } from "./brand.ts";
import type { ProofDocument } from "./build-proof.ts";
import { encodeProofFrame } from "./proof-frame.ts";
import { listProofSections, type ProofCells, type ProofSection } from "./proof-sections.ts";
import { formatProofTable, type ProofTable, proofTableNames } from "./proof-tables.ts";
import {
  claimProof,
  describeAttribution,
  describeProofData,
  describeProofScope,
  listProofFacts,
  proofDefinitions,
  titleProof,
} from "./proof-text.ts";
import { type ProofSummary, summarizeProof, type Tally } from "./summarize-proof.ts";

/** Renders a proof as one text: see `renderProofPieces`. */
export async function renderProofHtml(document: ProofDocument): Promise<string> {
  return await text(renderProofPieces(document));
}

/**
 * Renders a proof as one file, which loads nothing and runs no script. The same document always gives the same text.
 * `read-proof.ts` reads it back.
 */
export async function* renderProofPieces(document: ProofDocument): AsyncIterable<string> {
  const summary = await summarizeProof(document);
  const { source, program, brand } = document;
  const title = titleProof(document, summary);
  yield html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(createProofPolicy(brand))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="venue-proof" content="${encodeProofFrame(document)}">
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
${drawWeeks(summary)}
${listProofSections(summary).map(renderSection)}
<section aria-labelledby="definitions"><h2 id="definitions">Definitions</h2>
<dl>${proofDefinitions.map(([term, meaning]) => html`<div><dt>${term}</dt><dd>${meaning}</dd></div>\n`)}</dl></section>
`.text;
  yield* renderRows(document);
  yield html`
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
  const id = identify(title);
  return html`<section class="whole" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${sentences.map((sentence) => html`<p>${sentence}</p>\n`)}</section>`;
}

const isDate = /^\d{4}-\d\d-\d\d$/;

function renderSection({ title, head, rows, total, none, note }: ProofSection): Html {
  const [first] = rows;
  if (!first) return renderText(title, [none]);
  const id = identify(title);
  const isNumber = (cell: ProofCells[number] | undefined) => typeof cell === "number" || cell === null;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${note === undefined ? undefined : html`<p>${note}</p>`}
<div class="scroll" role="region" tabindex="0" aria-label="${title}"><table>
<thead><tr>${head.map((name, at) => html`<th scope="col"${isNumber(first[at]) ? html` class="number"` : undefined}>${name}</th>`)}</tr></thead>
<tbody>${rows.map(renderCells)}</tbody>
${total && html`<tfoot>${renderCells(total)}</tfoot>`}</table></div></section>
`;
}

function renderCells(cells: ProofCells): Html {
  return html`<tr>${cells.map((cell, at) => {
    if (cell === null) return html`<td class="number">–</td>`;
    if (typeof cell === "number") return html`<td class="number">${formatCount(cell)}</td>`;
    const [text = "", ...lines] = typeof cell === "string" ? [cell] : cell;
    const tag = new Markup(at === 0 ? "th" : "td");
    const kind = isDate.test(text) ? html` class="date"` : undefined;
    return html`<${tag}${at === 0 ? html` scope="row"` : undefined}${kind}><bdi>${text}${lines.map((line) => html`<span class="place">${line}</span>`)}</bdi></${tag}>`;
  })}</tr>\n`;
}

function identify(title: string): string {
  return title.toLowerCase().replaceAll(" ", "-");
}

/** Draws the outcomes of zone days by week. */
function drawWeeks({ total, days }: ProofSummary): Html | undefined {
  if (total.scheduled === 0) return undefined;
  const scheduled = days.filter(({ tally }) => tally.scheduled > 0);
  const weeks = [...new Set(scheduled.map(({ label }) => formatWeek(label)))];
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
      rows: weeks.map((week) => {
        const ofWeek = scheduled.filter(({ label }) => formatWeek(label) === week);
        const sum = (of: (tally: Tally) => number) => ofWeek.reduce((all, { tally }) => all + of(tally), 0);
        return {
          label: formatShortSpan(week),
          values: [
            sum(({ ran, ranShared }) => ran - ranShared),
            sum(({ ranShared }) => ranShared),
            sum(({ missed }) => missed),
            sum(({ missedOffline }) => missedOffline),
            sum(({ closed }) => closed),
            sum(({ notMeasurable }) => notMeasurable),
            sum(({ pending }) => pending),
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

async function* renderRows({ rows, source, brand }: ProofDocument): AsyncIterable<string> {
  const files = proofTableNames.map((table) => nameRowFile(table));
  yield html`<section class="whole" aria-labelledby="rows"><h2 id="rows">Underlying rows</h2>
<p>Every figure above is counted from these rows, which this file contains.</p>
<ul class="files">`.text;
  const hash = createHash("sha256");
  for (const table of proofTableNames) {
    const file = Buffer.from(await formatProofTable(table, rows[table]));
    hash.update(file);
    const data = new Markup(file.toString("base64"));
    yield html`<li><a download="${nameRowFile(table)}" href="data:text/csv;charset=utf-8;base64,${data}">${nameRowFile(table)}</a> ${formatCount(rows[table].length)} rows</li>\n`
      .text;
  }
  yield html`</ul>
<p>Published version: <b>${source.version}</b></p>
<p class="hash">SHA-256 of the rows: <code>${hash.digest("hex")}</code> (cat ${files.join(" ")} | sha256sum)</p>
<p class="hash">SHA-256 of the letterhead: <code>${hashBrand(brand)}</code></p>
<p>The company that holds the data can recompute the rows and compare this document with them: venue proof verify FILE.</p></section>`
    .text;
}

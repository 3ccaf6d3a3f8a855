import { createHash, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { packageRoot } from "../../util/files/package-files.ts";
import { identifyKey, signPieces } from "../../util/signed-text.ts";
import { proofFigures } from "../catalog/proof-figures.ts";
import { formatCsv } from "../format/text-formats.ts";
import { palette } from "../html/charts/chart.ts";
import { renderChart } from "../html/charts/render-chart.ts";
import { pageStyle } from "../html/frame/render-page.ts";
import { type Html, html, Html as Markup } from "../html/html.ts";
import { formatCount, formatPeriod, formatShortSpan } from "../text/readable-text.ts";
import type { Brand } from "./brand.ts";
import { encodeFrame, type ProofDocument } from "./build-proof.ts";
import { describeProof, type ProofContent } from "./describe-proof.ts";
import type { ProofCells, ProofSection } from "./proof-sections.ts";
import { listProofTables, nameRows, showTable } from "./proof-tables.ts";
import type { ProofSummary } from "./summarize-proof.ts";

/**
 * Streams a proof as one page that loads nothing and runs no script. The same document and key always give the same
 * text.
 */
export function renderProof(document: ProofDocument, key: KeyObject): AsyncIterable<string> {
  return signPieces(renderPieces(document, identifyKey(key)), key);
}

async function* renderPieces(document: ProofDocument, keyId: string): AsyncIterable<string> {
  const content = await describeProof(document);
  const { source, brand } = document;
  const { title, summary } = content;
  yield html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="venue-signed-proof" content="${encodeFrame(document)}">
<title>${title}, ${formatPeriod(document.scope.period)}</title>
<style>${new Markup(proofStyle)}</style>
</head>
<body class="proof">
<header>
${renderLetterhead(brand)}${renderClaim(content)}
</header>
<main>
${renderFacts(content)}
${summary && drawWeeks(summary)}
${content.sections.map(renderSection)}
<section class="whole" aria-labelledby="rows"><h2 id="rows">Underlying rows</h2>
<p>${summary ? "Every figure above is counted from these rows" : "The figures above, as rows of the reports uptime and outages"}, which this file contains.</p>
<ul class="files">`.text;
  for (const [table] of listProofTables(document.scope)) {
    const name = nameRows(table, "file");
    const file = await text(formatCsv(showTable(document.rows, table)));
    const data = new Markup(Buffer.from(file).toString("base64"));
    yield html`<li><a download="${name}" href="data:text/csv;base64,${data}">${name}</a> ${formatCount(document.rows[table].length)} rows</li>\n`
      .text;
  }
  yield html`</ul></section>
</main>
<footer><p>Published version ${source.version}. Written by venue-analytics ${source.program}, and signed with the key <b>${keyId}</b>. Whoever has its public part can check this file: venue proof verify FILE --key KEY.</p></footer>
</body>
</html>
`.text;
}

/** Renders the title, the claim and the scope. */
export function renderClaim({ title, claim, covers }: ProofContent): Html {
  return html`<h1>${title}</h1>
<p class="headline">${claim}</p>
<p class="scope">${covers.join(" · ")}</p>`;
}

export function renderFacts({ facts }: ProofContent): Html {
  return html`<ul class="facts">${facts.map(
    ({ label, value, note }) =>
      html`<li><span class="label">${label}</span><span class="value">${value}</span><span class="note">${note}</span></li>\n`,
  )}</ul>`;
}

const folder = join(packageRoot, "src", "report", "html", "assets");
const proofStyle = `${pageStyle}${readFileSync(join(folder, "proof.css"), "utf8")}`;
const styleHash = createHash("sha256").update(proofStyle).digest("base64");
/** Allows the document's own style and images inside it, and nothing else. */
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; form-action 'none'`;

function renderLetterhead({ logo, about = "" }: Brand): Html | undefined {
  if (logo === undefined && about === "") return undefined;
  // Paragraphs end at blank lines, and before and after headings.
  const paragraphs = about.replaceAll(/^#.*$/gm, "\n\n$&\n\n").split(/\n\s*\n/);
  const image =
    logo &&
    html`<img alt="" src="data:image/svg+xml;base64,${new Markup(Buffer.from(logo).toString("base64"))}">`;
  return html`<div class="letterhead">${image}${paragraphs.map((text) => html`<p>${text.startsWith("#") ? html`<b>${text.replace(/^#+ */, "")}</b>` : text}</p>`)}</div>
`;
}

const isDate = /^\d{4}-\d\d-\d\d$/;

function renderSection({ title, head, rows, total, none, note }: ProofSection): Html {
  const id = title.toLowerCase().replaceAll(" ", "-");
  const isNumber = (at: number) => typeof (rows[0]?.[at] ?? 0) === "number";
  const table = html`<div class="scroll" role="region" tabindex="0" aria-label="${title}"><table>
<thead><tr>${head.map((name, at) => html`<th scope="col"${isNumber(at) ? html` class="number"` : undefined}>${name}</th>`)}</tr></thead>
<tbody>${rows.map(renderCells)}</tbody>
${total && html`<tfoot>${renderCells(total)}</tfoot>`}</table></div>`;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${note && html`<p>${note}</p>`}
${rows.length === 0 ? html`<p>${none}</p>` : table}</section>
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

/** Outcomes of zone days, in the order of the chart. */
const outcomes = [
  ["ran", palette.blue],
  ["missed", palette.orange, "stripes"],
  ["missedOffline", palette.purple, "bars"],
  ["closed", palette.line],
  ["notMeasurable", palette.grey, "dots"],
  ["pending", palette.amber, "stripes"],
] as const;

function drawWeeks({ total, weeks }: ProofSummary): Html | undefined {
  if (total.scheduled === 0) return undefined;
  const parts = outcomes.map(([name, colour, pattern]) => {
    return { label: proofFigures[name].title, colour, ...(pattern && { pattern }) };
  });
  const rows = weeks.map(({ label, tally }) => {
    return { label: formatShortSpan(label), values: outcomes.map(([name]) => tally[name]) };
  });
  const summary = `${formatCount(total.ran)} of ${formatCount(total.scheduled)} scheduled zone days ran.`;
  return renderChart(
    { kind: "parts", title: "Outcomes by week", summary, subject: "week", parts, rows },
    "weeks",
  );
}

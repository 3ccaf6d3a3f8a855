import type { Figure } from "../../figures.ts";
import type { Report } from "../../report.ts";
import { momentText } from "../../text/people-text.ts";
import { type Html, html } from "../html.ts";

export interface Trust extends Pick<Report, "dataAsOf"> {
  coverage: string | undefined;
  figures: readonly Figure[];
}

/** What stays in sight while the page is read: how fresh and how whole the data is, and what each figure means. */
export function renderTrust({ dataAsOf, coverage, figures }: Trust): Html {
  return html`<section class="trust" aria-label="How fresh and how whole the data is"><div>
<p>Data as of <b>${dataAsOf === null ? "unknown" : momentText(dataAsOf)}</b></p>
${coverage === undefined ? undefined : html`<p>Coverage: <b>${coverage}</b></p>`}
<details class="unprinted"><summary>What the figures mean</summary>
<div class="meanings" role="region" tabindex="0" aria-label="What the figures mean">${renderDefinitions(figures)}</div></details>
</div></section>
`;
}

/** The same at the end of a printed page, where nobody clicks: what was asked for comes first. */
export function renderPrintedMeanings(figures: readonly Figure[]): Html {
  return html`<section class="printed" aria-labelledby="meanings"><h2 id="meanings">What the figures mean</h2>
<div class="meanings">${renderDefinitions(figures)}</div></section>
`;
}

/** Each once; those of several reports may share a name, and mean something else. */
function renderDefinitions(figures: readonly Figure[]): Html {
  const explained = new Map(figures.map((figure) => [`${figure.name} ${figure.definition}`, figure]));
  return html`<dl>${[...explained.values()].filter(({ definition }) => definition).map(renderDefinition)}</dl>`;
}

function renderDefinition({ name, label, definition }: Figure): Html {
  return html`<dt>${label} <code>${name}</code></dt><dd>${definition}</dd>\n`;
}

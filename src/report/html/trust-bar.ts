import { type Figure, figureOf } from "../figures.ts";
import type { Report } from "../report.ts";
import { type Html, html } from "./html.ts";
import { momentText } from "./people-text.ts";

export interface Trust extends Pick<Report, "dataAsOf"> {
  coverage: string | undefined;
  /** Names in `figures.ts`. */
  figures: readonly string[];
}

/** What stays in sight while the page is read: how fresh and how whole the data is, and what each figure means. */
export function renderTrust({ dataAsOf, coverage, figures }: Trust): Html {
  const explained = [...new Set([...figures, "data_as_of"])].flatMap((name) => {
    const figure = figureOf(name);
    return figure.definition === undefined ? [] : [{ name, ...figure }];
  });
  return html`<section class="trust" aria-label="How fresh and how whole the data is"><div>
<p>Data as of <b>${dataAsOf === null ? "unknown" : momentText(dataAsOf)}</b></p>
${coverage === undefined ? undefined : html`<p>Coverage: <b>${coverage}</b></p>`}
<details><summary>What the figures mean</summary>
<div class="meanings" role="region" tabindex="0" aria-label="What the figures mean"><dl>${explained.map(renderDefinition)}</dl></div></details>
</div></section>
`;
}

function renderDefinition({ name, label, definition }: Figure & { name: string }): Html {
  return html`<dt>${label} <code>${name}</code></dt><dd>${definition}</dd>\n`;
}

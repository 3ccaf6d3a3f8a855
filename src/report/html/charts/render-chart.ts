import { type Html, html } from "../html.ts";
import { type Chart, palette } from "./chart.ts";
import type { ChartKind } from "./chart-kind.ts";
import { createElement, type Drawing, type LegendEntry } from "./drawing.ts";
import { heatMap } from "./heat-map.ts";
import { mapChart } from "./map-chart.ts";
import { partsChart } from "./parts-chart.ts";
import { perDayChart } from "./per-day-chart.ts";
import { rankingChart } from "./ranking-chart.ts";
import { timelineChart } from "./timeline-chart.ts";

const chartKinds = {
  "per-day": perDayChart,
  ranking: rankingChart,
  "heat-map": heatMap,
  timeline: timelineChart,
  parts: partsChart,
  map: mapChart,
} satisfies { [Kind in Chart["kind"]]: ChartKind<Extract<Chart, { kind: Kind }>> };

/** @param id unique to this figure on its page */
export function renderChart(chart: Chart, id: string): Html {
  const kind = chartKinds[chart.kind] as unknown as ChartKind<Chart>;
  const drawings = kind.widths(chart).map((width) => {
    const name = `${id}-${width}`;
    return renderDrawing(kind.draw(chart, width, name), width, id);
  });
  return html`<figure class="chart">
<figcaption><h2 id="${id}">${chart.title}</h2><p>${chart.summary}</p></figcaption>
${drawings.length > 1 ? renderResponsive(drawings) : renderScrollable(chart, drawings)}
<p class="picked unprinted" role="status" data-picked></p>
${renderLegend(kind.legend(chart))}
${renderTable(chart, kind.tabulate(chart))}
</figure>
`;
}

/** Renders a drawing, labelled by its figure's title. */
function renderDrawing({ height, shapes }: Drawing, width: number, titleId: string): Html {
  // Screen readers do not see the parts of an `img`, so a drawing with links is a `group`.
  const role = shapes.some(({ text }) => text.includes("<a href=")) ? "group" : "img";
  const frame = { width, height, viewBox: `0 0 ${width} ${height}`, role, "aria-labelledby": titleId };
  return createElement("svg", { ...frame, "font-family": "system-ui, sans-serif", "font-size": 12 }, [
    ...shapes,
  ]);
}

/** Renders both widths; the page's style shows the one that fits. */
function renderResponsive([wide, narrow]: readonly Html[]): Html {
  return html`<div class="wide">${wide}</div><div class="narrow">${narrow}</div>`;
}

function renderScrollable({ title }: Chart, drawings: readonly Html[]): Html {
  return html`<div class="scroll natural" role="region" tabindex="0" aria-label="${title}, chart">${drawings}</div>
<p class="hint unprinted" data-hint hidden>More columns: scroll the chart sideways →</p>`;
}

function renderLegend(entries: readonly LegendEntry[]): Html | undefined {
  if (entries.length === 0) return undefined;
  return html`<ul class="legend">${entries.map(
    (entry) => html`<li>${renderSwatch(entry)} ${entry.label}</li>`,
  )}</ul>`;
}

function renderSwatch({ colour, mark, ink = palette.inverse }: LegendEntry): Html {
  const text = mark
    ? html`<text x="9" y="9.5" dominant-baseline="middle" text-anchor="middle" font-size="12" fill="${ink.light}">${mark}</text>`
    : undefined;
  return html`<svg class="swatch" width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" focusable="false"><rect width="18" height="18" rx="3" fill="${colour.light}"></rect>${text}</svg>`;
}

function renderTable({ title }: Chart, [head = [], ...rows]: readonly (readonly string[])[]): Html {
  return html`<details><summary>As a table<span class="unseen">: ${title}</span></summary>
<div class="scroll" role="region" tabindex="0" aria-label="${title}, as a table"><table class="plain">
<thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([first, ...cells]) =>
      html`<tr><th scope="row"><bdi>${first}</bdi></th>${cells.map((cell) => html`<td><bdi>${cell}</bdi></td>`)}</tr>\n`,
  )}</tbody></table></div></details>`;
}

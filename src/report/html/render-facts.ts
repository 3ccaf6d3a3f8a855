import { figureOf } from "../figures.ts";
import type { ReportName } from "../report-name.ts";
import { type Html, html } from "./html.ts";
import type { Fact } from "./report-page.ts";

/** The figures that matter most, each with its label; nothing where there are none. */
export function renderFacts(facts: readonly Fact[], report?: ReportName): Html | undefined {
  if (facts.length === 0) return undefined;
  return html`<ul class="facts">${facts.map((fact) => renderFact(fact, report))}</ul>`;
}

function renderFact({ figure, value, note, href }: Fact, report: ReportName | undefined): Html {
  return html`<li><span class="label">${figureOf(figure, report).label}</span><span class="value">${href === undefined ? value : html`<a href="${href}">${value}</a>`}</span>${
    note ? html`<span class="note">${note}</span>` : undefined
  }</li>`;
}

import type { Link } from "../address/address.ts";
import type { Assessment, Status } from "../overview/assessment.ts";
import type { Overview } from "../overview/overview.ts";
import { type Html, html } from "./html.ts";
import { renderTrend } from "./render-trend.ts";

const marks: Readonly<Record<Status, string>> = {
  good: "✓",
  "not known yet": "?",
  "needs attention": "!",
  bad: "✗",
};

export function renderOverview({ assessments, worst }: Overview, link: Link): Html {
  return html`<section aria-labelledby="questions"><h2 id="questions">Status</h2>
<ul class="assessments">
${assessments.map((assessment) => renderAssessment(assessment, link))}</ul>
<details class="rules"><summary>What each status means</summary><dl>${assessments.map(({ question, rule }) => html`<dt>${question}</dt><dd>${rule}</dd>\n`)}</dl></details>
</section>
<section aria-labelledby="worst"><h2 id="worst">Most urgent</h2>
${
  worst.length === 0
    ? html`<p>${assessments.every(({ status }) => status === "good") ? "Nothing needs attention." : "No findings yet: some questions cannot be answered."}</p>`
    : html`<ol class="worst">${worst.map(({ text, address }) => html`<li>${renderLink(text, link(address))}</li>\n`)}</ol>`
}</section>
`;
}

function renderAssessment({ question, status, answer, address, trend }: Assessment, link: Link): Html {
  return html`<li class="${status.replaceAll(" ", "-")}"><p class="status"><span aria-hidden="true">${marks[status]}</span> ${status}</p>
<div><h3>${renderLink(question, link(address))}</h3><p>${answer}</p></div>${trend && renderTrend(trend)}</li>
`;
}

function renderLink(text: string, href: string | undefined): Html {
  return href === undefined ? html`${text}` : html`<a href="${href}">${text}</a>`;
}

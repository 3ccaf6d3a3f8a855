import type { Link } from "../address/address.ts";
import { getFigure } from "../figures.ts";
import type { Overview } from "../overview/overview.ts";
import type { ReportName } from "../report-name.ts";
import { formatDay } from "../text/readable-text.ts";
import {
  linkPagesInFolder,
  renderDataBar,
  renderNavigation,
  renderPage,
  renderPrintedDefinitions,
} from "./frame/render-page.ts";
import { type Html, html } from "./html.ts";
import { renderOverview } from "./render-overview.ts";
import type { ReportPage } from "./report-page.ts";

export interface IndexEntry {
  name: ReportName;
  /** Base name of its files in the index's folder: `<file>.html`, `.csv`, `.md`. @default its name */
  file?: string;
  title: string;
  page: ReportPage | undefined;
}

export interface IndexParts {
  /** Date of the run, `YYYY-MM-DD`. */
  date: string;
  dataAsOf: string | null;
  version: string;
  entries: readonly IndexEntry[];
  overview: Overview;
  /** Links to pages of what is worst. @default no links */
  link?: Link;
}

export function renderIndex({
  date,
  dataAsOf,
  version,
  entries,
  overview,
  link = () => undefined,
}: IndexParts): string {
  const title = `Reports for ${formatDay(date)}`;
  const figures = [
    ...entries.flatMap(({ name, page }) => page?.facts.map(({ figure }) => getFigure(figure, name)) ?? []),
    getFigure("data_as_of"),
  ];
  const pageOf = linkPagesInFolder(entries.map(({ name }) => name));
  // Falls back to the whole report: only `venue serve` narrows it further.
  const linkOrReport: Link = (address) => link(address) ?? pageOf(address.view);
  return renderPage({
    title,
    version,
    body: [
      html`${renderNavigation("overview", pageOf)}<header>
<h1>venue-analytics</h1>
<p class="headline">${title}</p>
</header>
`,
      renderDataBar({ dataAsOf, coverage: undefined, figures }),
      html`<main>
${renderOverview(overview, linkOrReport)}
<ul class="reports">
${entries.map(renderEntry)}</ul>
${renderPrintedDefinitions(figures)}</main>
`,
    ],
  });
}

function renderEntry({ name, file = name, title, page }: IndexEntry): Html {
  return html`<li>
<h2><a href="${file}.html">${title}</a></h2>
${page && html`<p>${page.headline}</p><p class="scope">Coverage: ${page.coverage}</p>`}
<p class="unprinted"><a href="${file}.csv" download>${title} as CSV</a> · <a href="${file}.md">as Markdown</a></p>
</li>
`;
}

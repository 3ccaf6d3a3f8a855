import type { Link } from "../../report/address/address.ts";
import { type Html, html } from "../../report/html/html.ts";
import { reportNames } from "../../report/report-name.ts";

/** The first word of each page, and where one is. */
export function renderNavigation(current: string, link: Link): Html {
  const views = ["overview", ...reportNames];
  return html`<nav class="views" aria-label="Views"><div>
${views.map((view) => {
  const isHere = view === current;
  const href = link({ view: view === "overview" ? "" : view, words: {} });
  const title = `${view.charAt(0).toUpperCase()}${view.slice(1)}`;
  return html`<a href="${href}"${isHere ? html` aria-current="page"` : undefined}>${title}</a>\n`;
})}</div></nav>
`;
}

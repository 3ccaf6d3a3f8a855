import type { Link } from "../../report/address/address.ts";
import { type Html, html } from "../../report/html/html.ts";
import { reportNames } from "../../report/report-name.ts";
import { reportTitle } from "./report-title.ts";

/** The first word of each page, and where one is. */
export function renderNavigation(current: string, link: Link): Html {
  return html`<nav class="views" aria-label="Views"><div>
${["overview", ...reportNames].map((view) => {
  const isHere = view === current;
  const href = link({ view: view === "overview" ? "" : view, words: {} });
  const title = reportTitle(view);
  return html`<a href="${href}"${isHere ? html` aria-current="page"` : undefined}>${title}</a>\n`;
})}</div></nav>
`;
}

import { reportNames } from "../../report-name.ts";
import { reportTitle } from "../../text/report-title.ts";
import { type Html, html } from "../html.ts";

/** Where the page of a view lies; the overview is called "". Nowhere: `undefined`. */
type PageOf = (view: string) => string | undefined;

/** The first word of each page, and where one is. Views that lie nowhere are left out. */
export function renderNavigation(current: string, pageOf: PageOf): Html {
  return html`<nav class="views" aria-label="Views"><div>
${["overview", ...reportNames].map((view) => {
  const href = pageOf(view === "overview" ? "" : view);
  if (href === undefined) return undefined;
  const isHere = view === current;
  return html`<a href="${href}"${isHere ? html` aria-current="page"` : undefined}>${reportTitle(view)}</a>\n`;
})}</div></nav>
`;
}

/** The pages of one run, which lie in one folder with their index. */
export function pagesInFolder(written: readonly string[]): PageOf {
  return (view) => (view === "" ? "index.html" : written.includes(view) ? `${view}.html` : undefined);
}

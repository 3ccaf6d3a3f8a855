import type { CustomReport } from "../custom/custom-report.ts";
import { linkPagesInFolder, renderNavigation, renderPage, type Siblings } from "./frame/render-page.ts";
import { html } from "./html.ts";

/** Renders the page of a custom report that failed: the reason, and how to try again. */
export function renderFailure(
  { name, title, path }: Pick<CustomReport, "name" | "title" | "path">,
  { reason, version, siblings }: { reason: string; version: string; siblings: Siblings },
): string {
  return renderPage({
    title,
    version,
    body: [
      html`${renderNavigation(name, linkPagesInFolder(siblings), siblings.custom)}<header>
<h1>${title}</h1>
<p class="headline">This report could not be created.</p>
<div class="notes" role="note"><p>${reason}</p><p>Correct ${path}, then run <code>venue own test</code>.</p></div>
</header>
<main></main>
`,
    ],
  });
}

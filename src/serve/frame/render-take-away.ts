import { type Address, addressText, reportWords } from "../../report/address/address.ts";
import { type Html, html } from "../../report/html/html.ts";
import { shellText } from "../../util/text/escaping.ts";

/** Endings that a view's rows can be had with, and what they are. */
export const takeAwayFormats = {
  csv: "CSV",
  xlsx: "Excel",
  json: "JSON",
  parquet: "Parquet",
  arrow: "Arrow",
  md: "Markdown",
  html: "this page as a file",
  sql: "SQL",
} as const;

/**
 * What to take away from a view: its rows in other forms, and the command that gives them.
 * @param report as `venue report` takes it. @default the view
 */
export function renderTakeAway(address: Address, report = address.view): Html {
  // What explains a cell is many statements.
  const formats = Object.entries(takeAwayFormats).filter(
    ([ending]) => ending !== "sql" || report === address.view,
  );
  const links = formats.map(([ending, text]) => {
    const href = `/${addressText({ ...address, view: `${address.view}.${ending}` })}`;
    return html`<a href="${href}" download>${text}</a>\n`;
  });
  return html`<section class="take" aria-labelledby="take"><h2 id="take">Download</h2>
<p class="unprinted">${links}</p>
<p>By command: <code>${commandOf({ ...address, view: report })}</code></p>
</section>
`;
}

/** What gives the same rows on a command line. */
function commandOf({ view, words }: Address): string {
  const flags = [...reportWords, "date", "as-of"].flatMap((word) => {
    const value = words[word];
    if (value === undefined) return [];
    // After a blank, a value with a dash in front would be taken for a flag.
    return [`--${word}${value.startsWith("-") ? "=" : " "}${shellText(value)}`];
  });
  return ["venue report", view, ...flags].join(" ");
}

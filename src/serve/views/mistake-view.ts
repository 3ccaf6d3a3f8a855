import { type Address, addressText, type Link, reportWords } from "../../report/address/address.ts";
import { withRows } from "../../report/address/lead-of-row.ts";
import { renderNavigation } from "../../report/html/frame/render-page.ts";
import { type Html, html } from "../../report/html/html.ts";
import { ReportOptionError } from "../../report/options/report-option-error.ts";
import { isReportName } from "../../report/report-name.ts";
import type { ErrorFrame } from "../answer-error.ts";
import { readNames } from "../frame/names.ts";
import { renderBar } from "../frame/render-bar.ts";
import { inVersion } from "../requests/asked-view.ts";
import type { Shown } from "../requests/readers.ts";

/** Nobody corrects what is longer. */
const longestValue = 200;

/** What stands around a page that could not be made of what was asked for: the ways on, and the bar as it was filled in. */
export async function frameMistake(
  error: unknown,
  { pathname, searchParams }: URL,
  { taken, asOf }: Shown,
): Promise<ErrorFrame> {
  const { mart } = taken;
  const link: Link = (address) => `/${addressText(inVersion(address, mart.version))}`;
  const [view = ""] = pathname.slice(1).split(".");
  const bar = isReportName(view)
    ? renderBar({ report: view, words: typedWords(searchParams), names: await readNames(taken), asOf, link })
    : undefined;
  return {
    version: mart.version,
    top: html`${renderNavigation(view, (to) => link(withRows({ view: to, words: {} })))}${bar}`,
    listing: error instanceof ReportOptionError ? renderListing(error, link) : undefined,
  };
}

function typedWords(parameters: URLSearchParams): Address["words"] {
  const typed = reportWords.flatMap((word) => {
    const value = parameters.getAll(word).join(",");
    return value === "" || value.length > longestValue ? [] : [[word, value] as const];
  });
  return Object.fromEntries(typed);
}

function renderListing({ option, listing }: ReportOptionError, link: Link): Html | undefined {
  if (!listing) return undefined;
  const { report, by } = listing;
  const href = link({ view: report, words: by === undefined ? {} : { by } });
  return html`<a href="${href}">See the ${option.slice(2)}s</a>`;
}

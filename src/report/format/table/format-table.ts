import type { Report } from "../../result-types.ts";
import { toSingleLine } from "../../text/cell-text.ts";
import { type FormatOptions, formatHeading } from "../formatter.ts";
import { createStyles, formatRows, wrapWords } from "./format-rows.ts";

/** Streams an aligned table. On a terminal, it begins with the answer and fits the width. */
export async function* formatTable(report: Report, options: FormatOptions = {}): AsyncIterable<string> {
  yield* formatRows(report, options, async (areAllRead) => {
    // The answer needs another statement, which would end this one before all rows are read.
    const headline = options.isTerminal && areAllRead ? await findHeadline(report) : undefined;
    const answer = options.isTerminal ? (headline ?? findSummary(report)) : undefined;
    return formatTableHeading(report, answer, options);
  });
}

async function findHeadline(report: Report): Promise<string | undefined> {
  const { describePage } = await import("../../html/describe-page.ts");
  return (await describePage(report))?.headline;
}

function findSummary({ comparison }: Report): string | undefined {
  return comparison?.isPossible ? comparison.summary : undefined;
}

function formatTableHeading(report: Report, headline: string | undefined, options: FormatOptions): string {
  const { width = Number.POSITIVE_INFINITY } = options;
  const style = createStyles(options);
  const { title, details } = formatHeading(report);
  const fit = (text: string) => wrapWords(toSingleLine(text).replaceAll("\u00a0", " "), width);
  if (headline === undefined) return `${style.bold(fit(title))}\n${style.dim(fit(details))}\n\n`;
  return `${style.bold(fit(headline))}\n${style.dim(fit(`${title} · ${details}`))}\n\n`;
}

import type { ReportOptions } from "../options/report-options.ts";
import { buildStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { definitionOf } from "../reports.ts";
import { formatCount, formatQuantity } from "../text/readable-text.ts";
import { formatWord } from "../text/titles.ts";
import type { ReportedDays } from "./reported-days.ts";

/** A row of `sql/reports/attribute_gaps.sql`. */
interface AttributeGap extends Record<string, string | number> {
  subject: string;
  attribute_name: string;
  subjects: number;
  without: number;
  partly: number;
}

/** Returns a note per attribute in `--by` or `--where` that some of its zones, campaigns or items lack. */
export async function noteMissingValues(
  mart: PublishedMart,
  options: ReportOptions,
  { period }: Pick<ReportedDays, "period">,
): Promise<string[]> {
  if (options.attributes.length === 0) return [];
  const { takesPeriod = true } = definitionOf(options);
  const gaps = await mart.all<AttributeGap>(
    ...buildStatement("attribute_gaps", { ...options, ...(takesPeriod && { period }) }),
  );
  return gaps
    .filter(({ subject, without }) => without > 0 && !(options.isPart && subject === "zone"))
    .map(describeGap);
}

/** E.g. `12 of 500 zones have no region, 3 of them only on some days.` */
function describeGap({ subject, attribute_name, subjects, without, partly }: AttributeGap): string {
  const have = without === 1 ? "has" : "have";
  const found = `${formatCount(without)} of ${formatQuantity(subjects, subject)} ${have} no ${formatWord(attribute_name)}`;
  if (partly === 0) return `${found}.`;
  if (partly === without) return `${found} on some days.`;
  return `${found}, ${formatCount(partly)} of them only on some days.`;
}

import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { reports } from "../reports.ts";
import { countOf, countText } from "../text/readable-text.ts";
import { wordText } from "../text/titles.ts";
import { getReportedDays } from "./reported-days.ts";

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
  now: Date,
): Promise<string[]> {
  if (options.attributes.length === 0) return [];
  const { takesPeriod = true } = reports[options.report];
  const asked = takesPeriod ? await getReportedDays(mart, options, now) : {};
  const gaps = await mart.all<AttributeGap>(...reportStatement("attribute_gaps", { ...options, ...asked }));
  return gaps.filter(({ without }) => without > 0).map(describeGap);
}

/** E.g. `12 of 500 zones have no region, 3 of them only on some days.` */
function describeGap({ subject, attribute_name, subjects, without, partly }: AttributeGap): string {
  const have = without === 1 ? "has" : "have";
  const found = `${countText(without)} of ${countOf(subjects, subject)} ${have} no ${wordText(attribute_name)}`;
  if (partly === 0) return `${found}.`;
  if (partly === without) return `${found} on some days.`;
  return `${found}, ${countText(partly)} of them only on some days.`;
}

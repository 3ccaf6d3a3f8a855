import { shownColumns } from "../columns/report-columns.ts";
import { findEqualNames, nameCampaign, nameZone } from "../findings/equal-names.ts";
import { comparedBy } from "../options/compare-option.ts";
import type { ReportOptions } from "../options/report-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { ReportValue } from "../report.ts";
import { percentText } from "../text/cell-text.ts";
import { countText } from "../text/people-text.ts";
import { type ComparedDays, lengthOf } from "./compared-days.ts";
import { comparedStatement } from "./compared-statement.ts";

/** Rows by these are few enough to look through beforehand. */
const searched = ["campaign", "zone", "group", "location", "device", "kind"];

/** Which row fell most, in a sentence, where rows are of one thing each, and any fell. */
export async function sayMostFallen(
  mart: PublishedMart,
  { top: _top, onlyStates: _only, ...options }: ReportOptions,
  days: ComparedDays,
): Promise<string | undefined> {
  const [by = "", ...others] = options.by;
  if (others.length > 0 || !searched.includes(by)) return undefined;
  // Shares are alike over any number of days, and sums are not.
  if (options.report === "plays" && lengthOf(days.period) !== lengthOf(days.other)) return undefined;
  const name = comparedBy[options.report] ?? "";
  const [sql, parameters] = comparedStatement(options, days);
  const order = [`${name}_change`, ...shownColumns(options.report, options).map((column) => column.name)];
  const [row] = await mart.all<Record<string, ReportValue>>(
    `select * from (\n${sql}\n) as r where ${name}_change < 0 order by ${order.join(", ")} limit 1`,
    parameters,
  );
  if (!row) return undefined;
  const text = (value: ReportValue = null) =>
    name === "plays" ? countText(Number(value)) : percentText(Number(value), 2);
  return `${await nameRow(mart, by, row)} fell most, from ${text(row[`${name}_then`])} to ${text(row[name])}.`;
}

async function nameRow(mart: PublishedMart, by: string, row: Record<string, ReportValue>): Promise<string> {
  const names = await findEqualNames(mart);
  if (by === "campaign") return nameCampaign(row, names);
  if (by === "zone") return nameZone(row, names);
  return String(row[by] ?? row[`${by}_name`] ?? `${by} ${row[`${by}_id`] ?? "unknown"}`);
}

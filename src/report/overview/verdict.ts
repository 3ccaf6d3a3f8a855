import type { Address } from "../address/address.ts";
import { formatAge, freshHours, hoursSince } from "../findings/data-as-of.ts";
import { describeMissingSources } from "../findings/missing-sources.ts";
import type { EqualNames } from "../findings/names.ts";
import type { ReportedDays } from "../findings/reported-days.ts";
import { type FreshnessLimits, findStaleSources } from "../findings/stale-sources.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { buildAggregate, buildStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { ReportValue } from "../report.ts";
import type { ReportName } from "../report-name.ts";
import { formatCount, formatDuration, formatQuantity } from "../text/readable-text.ts";
import { createTrend, type Trend, toShare } from "./trend.ts";

export type Row = Readonly<Record<string, ReportValue>>;

/** Best to worst. */
export const statuses = ["good", "not known yet", "needs attention", "bad"] as const;
export type Status = (typeof statuses)[number];

/** Maximum unknown share of devices, days or time for a good verdict. */
export const toleratedUnknown = 0.5;

export interface Verdict {
  question: string;
  status: Status;
  answer: string;
  /** Criteria of each status. */
  rule: string;
  address: Address;
  /** Absent if fewer than two days are known. */
  trend?: Trend | undefined;
  /** Findings, worst first. */
  worst: readonly Finding[];
}

export interface Finding {
  text: string;
  address: Address;
}

export interface OverviewSources {
  mart: PublishedMart;
  now: Date;
  names: EqualNames;
  read(report: ReportName, changes?: Partial<ReportOptions>): Promise<Row[]>;
  /** Returns a report's default period, and the extent of its data. */
  daysOf(report: ReportName): Promise<ReportedDays>;
  /** Returns a report's data as of; `null` if unknown. */
  asOf(report: ReportName): Promise<string | null>;
  /** Compliance and its coverage by date, which two verdicts share. */
  complianceDays: readonly Row[];
}

export async function judgeData(
  { mart, now, daysOf, asOf, complianceDays }: OverviewSources,
  limits: FreshnessLimits,
): Promise<Verdict> {
  const loads = await mart.all<{ lines: number; rejected: number }>(...buildStatement("load_lines", {}));
  const lines = loads.reduce((sum, row) => sum + Number(row.lines), 0);
  const rejected = loads.reduce((sum, row) => sum + Number(row.rejected), 0);
  const [listings] = await mart.all<{ records: number | null }>(
    ...buildAggregate(
      "quality/30_loads",
      {},
      (rows) => `select sum(cast(value as bigint)) as records
      from ${rows}
      where section = 'loads' and subject like 'listing %'`,
    ),
  );
  const records = Number(listings?.records ?? 0);
  const unfinished = (await mart.findUnfinished?.())?.length ?? 0;
  const missing = await describeMissingSources(mart, { report: "quality" });
  const instants = [mart.dataAsOf, await asOf("compliance"), await asOf("devices")];
  const [oldest] = instants.filter((instant) => instant !== null).sort();
  const hours = oldest === undefined ? undefined : hoursSince(oldest, now);
  const isStale = hours !== undefined && hours > freshHours;
  const address = { view: "quality", words: {} };
  const age =
    hours !== undefined
      ? `The oldest data is ${formatAge(hours)} old.`
      : lines === 0
        ? "No data has been collected yet."
        : "No source has been collected completely yet.";
  // The general sentence includes them.
  const stale = isStale ? [] : await findStaleSources(mart, now, limits);
  const worst: Finding[] = [
    ...(isStale ? [age] : []),
    ...stale.map(
      ({ topic, asOf: at, limitHours }) =>
        `The last collection of ${topic} was ${formatDuration((now.getTime() - Date.parse(at)) / 1000)} ago; the limit is ${formatDuration(limitHours * 3600)}.`,
    ),
    ...(missing === undefined ? [] : [missing]),
    ...(unfinished === 0 ? [] : [`The last runs did not finish ${formatQuantity(unfinished, "source")}.`]),
    ...(rejected === 0
      ? []
      : [`${formatCount(rejected)} of ${formatQuantity(lines, "line")} could not be read.`]),
    ...(records === 0 ? [] : [`${formatQuantity(records, "record")} of listings could not be read.`]),
  ].map((text) => ({ text, address }));
  const others = worst.map(({ text }) => text).filter((text) => text !== age);
  return {
    question: "Can the figures be trusted?",
    status:
      hours === undefined ? "not known yet" : isStale ? "bad" : worst.length > 0 ? "needs attention" : "good",
    answer: [age, ...others, ...(lines > 0 && rejected === 0 ? ["Every line could be read."] : [])].join(" "),
    rule: `Good: every source was collected completely, and everything could be read. Bad: the oldest data is more than ${freshHours} hours old. Not known yet: nothing was collected.`,
    address,
    trend: createTrend(await daysOf("compliance"), complianceDays, {
      title: "Measured campaign days",
      isShare: true,
      valueOn: (day) => toShare(day?.coverage),
    }),
    worst,
  };
}

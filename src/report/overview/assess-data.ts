import { catalog } from "../catalog/catalog.ts";
import { formatAge, freshHours, hoursSince } from "../findings/data-as-of.ts";
import { describeMissingSources } from "../findings/missing-sources.ts";
import { type FreshnessLimits, findStaleSources } from "../findings/stale-sources.ts";
import { buildAggregate, buildStatement } from "../options/build-statement.ts";
import { formatCount, formatDuration, formatQuantity } from "../text/readable-text.ts";
import type { Assessment, Finding, OverviewSources } from "./assessment.ts";
import { readTrend } from "./trend.ts";

export async function assessData(sources: OverviewSources, limits: FreshnessLimits): Promise<Assessment> {
  const { mart, now, asOf } = sources;
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
  const missing = await describeMissingSources(mart, { entry: catalog.quality });
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
  // The sentence on the oldest data includes them.
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
    ...(records === 0 ? [] : [`${formatQuantity(records, "listing record")} could not be read.`]),
  ].map((text) => ({ text, address }));
  const others = worst.map(({ text }) => text).filter((text) => text !== age);
  return {
    question: "Can the figures be trusted?",
    status:
      hours === undefined ? "not known yet" : isStale ? "bad" : worst.length > 0 ? "needs attention" : "good",
    answer: [age, ...others, ...(lines > 0 && rejected === 0 ? ["Every line could be read."] : [])].join(" "),
    rule: `Good: every source was collected completely, and everything could be read. Bad: the oldest data is more than ${freshHours} hours old. Not known yet: nothing was collected.`,
    address,
    trend: await readTrend(sources, "compliance", {
      title: "Measured campaign days",
      measure: "coverage",
      isShare: true,
      rows: sources.complianceDays,
    }),
    worst,
  };
}

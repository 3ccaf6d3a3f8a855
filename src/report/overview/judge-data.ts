import { ageText, freshHours, hoursSince } from "../findings/data-age.ts";
import { sayMissingSources } from "../findings/missing-sources.ts";
import { reportStatement } from "../options/report-statement.ts";
import { countOf, countText } from "../text/people-text.ts";
import type { Finding, OverviewSources, Verdict } from "./verdict.ts";

/** Can the figures be trusted: is every source fresh and complete, and could all of it be read? */
export async function judgeData({ mart, now, read, asOf }: OverviewSources): Promise<Verdict> {
  const loads = await mart.all<{ lines: number; rejected: number }>(...reportStatement("load_lines", {}));
  const lines = loads.reduce((sum, row) => sum + Number(row.lines), 0);
  const rejected = loads.reduce((sum, row) => sum + Number(row.rejected), 0);
  const quality = await read("quality");
  const records = quality
    .filter(({ section, subject }) => section === "loads" && String(subject).startsWith("listing "))
    .reduce((sum, { value }) => sum + Number(value), 0);
  const unfinished = quality.filter(({ section }) => section === "unfinished").length;
  const missing = await sayMissingSources(mart, { report: "quality" });
  const instants = [mart.dataAsOf, await asOf("compliance"), await asOf("devices")];
  const [oldest] = instants.filter((instant) => instant !== null).sort();
  const hours = oldest === undefined ? undefined : hoursSince(oldest, now);
  const isStale = hours !== undefined && hours > freshHours;
  const address = { view: "quality", words: {} };
  const age =
    hours !== undefined
      ? `The oldest data is ${ageText(hours)} old.`
      : lines === 0
        ? "No data has been collected yet."
        : "No source has been collected completely yet.";
  const worst: Finding[] = [
    ...(isStale ? [age] : []),
    ...(missing === undefined ? [] : [missing]),
    ...(unfinished === 0 ? [] : [`The last run did not finish ${countOf(unfinished, "source")}.`]),
    ...(rejected === 0 ? [] : [`${countText(rejected)} of ${countOf(lines, "line")} could not be read.`]),
    ...(records === 0 ? [] : [`${countOf(records, "record")} of listings could not be read.`]),
  ].map((text) => ({ text, address }));
  const others = worst.map(({ text }) => text).filter((text) => text !== age);
  return {
    question: "Can the figures be trusted?",
    status:
      hours === undefined ? "not known yet" : isStale ? "bad" : worst.length > 0 ? "look at it" : "good",
    answer: [age, ...others, ...(lines > 0 && rejected === 0 ? ["Every line could be read."] : [])].join(" "),
    rule: `Good: every source was collected completely, and everything could be read. Bad: the oldest data is more than ${freshHours} hours old. Not known yet: nothing was collected.`,
    address,
    worst,
  };
}

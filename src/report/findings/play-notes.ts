import { impressionFormula } from "../catalog/impressions.ts";
import { learntMinutes } from "../catalog/outside-hours.ts";
import type { ReportOptions } from "../options/request-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period } from "../result-types.ts";
import { formatCount, formatDay, formatQuantity, joinWords } from "../text/readable-text.ts";
import { explainMissingHistory, type ReportedDays } from "./reported-days.ts";

/** Returns a note if the period is entirely before or after all plays, to explain its zeros. */
export async function noteOtherPeriod(mart: PublishedMart, { from, to }: Period): Promise<string[]> {
  const [span] = await mart.all<{ first: string | null; last: string | null }>(
    "select min(first_play_date) as first, max(last_play_date) as last from dim_zone",
  );
  if (!span?.first || !span.last)
    return [(await explainMissingHistory(mart)) ?? "The loaded history has no plays."];
  if (to >= span.first && from <= span.last) return [];
  return [`No plays from ${from} to ${to}: plays range from ${span.first} to ${span.last}.`];
}

export async function noteDayparts(
  mart: PublishedMart,
  { by }: ReportOptions,
  { period, dataDays }: ReportedDays,
): Promise<string[]> {
  if (!by.includes("daypart")) return [];
  const [last] = await mart.all<{ daypart: string; to_secs: number }>(
    "select daypart, to_secs from dim_daypart order by to_secs desc limit 1",
  );
  if (!last)
    return [
      `No dayparts are known${mart.isShared ? "" : ": define them in reference/dayparts.csv, and run `venue build`"}.`,
    ];
  if (dataDays === undefined || period.to <= dataDays.wholeTo || Number(last.to_secs) <= 86_400) return [];
  return [
    `Days after ${formatDay(dataDays.wholeTo)} are incomplete: the data ends before their last daypart, ${last.daypart}.`,
  ];
}

/** Returns a note on how plays are divided. */
export function noteDividedPlays({ attributes }: ReportOptions): string[] {
  const names = attributes.flatMap(({ subject, name }) => (subject === "campaign" ? [name] : []));
  return [
    `A play that several scheduled campaigns can claim is divided among them. Plays that none can claim, and plays of campaigns without ${joinWords(names, "or")}, are (none). Music is excluded.`,
  ];
}

/** Returns the formula of impressions, and the sources of footfall. */
export async function noteImpressions(mart: PublishedMart): Promise<string[]> {
  const sources = await mart.all<{ source: string }>(
    "select distinct source from dim_footfall order by source",
  );
  if (sources.length > 0)
    return [
      `${impressionFormula} ${sources.length === 1 ? "Source" : "Sources"} in reference/footfall.csv: ${joinWords(
        sources.map(({ source }) => source),
        "and",
      )}.`,
    ];
  return [
    `No footfall is known${mart.isShared ? "" : ": enter people per hour or per play in reference/footfall.csv, and run `venue build`"}.`,
  ];
}

/** Returns a note on zones whose opening hours are learnt. @param consequence of that, e.g. `, so …` */
export async function noteLearntHours(mart: PublishedMart, consequence = ""): Promise<string[]> {
  if (mart.isShared) return [];
  const [zones] = await mart.all<Record<"known" | "learnt", number>>(
    `select count(*) as known, count(case when g.zone_id is null then 1 end) as learnt
    from (select distinct zone_id from fact_zone_opening) as o
    left join (select distinct zone_id from dim_opening_hours) as g on g.zone_id = o.zone_id`,
  );
  if (!Number(zones?.learnt)) return [];
  return [
    `The opening hours of ${formatCount(Number(zones?.learnt))} of ${formatQuantity(Number(zones?.known), "zone")} are learnt from their plays${consequence}; reference/opening_hours.csv can give them.`,
  ];
}

export async function noteOutsideHours(mart: PublishedMart): Promise<string[]> {
  return await noteLearntHours(
    mart,
    `, so ${learntMinutes} minutes before and after them are not treated as outside`,
  );
}

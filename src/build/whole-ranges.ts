import type { Engine } from "../engines/engine.ts";
import type { Topic } from "../mart/topic.ts";
import { readSql } from "../util/files/package-files.ts";
import { addDays } from "../util/local-date.ts";
import type { DayRange } from "./day-ranges.ts";

/**
 * The ranges of days, one after another, by which a model by day is built from nothing: models of plays by about as many
 * plays each, those of campaigns by month, whose cells are many times what they are made from. `undefined`: at once.
 * @param playsAtOnce that are grouped in the memory there is
 */
export async function listWholeRanges(
  engine: Engine,
  topic: Topic,
  playsAtOnce: number,
): Promise<DayRange[] | undefined> {
  if (topic === "devices") return undefined;
  if (topic === "campaigns") {
    return await engine.all<DayRange & Record<string, string>>(
      `select distinct
        cast(date_trunc('month', date) as date) as "from",
        cast(date_trunc('month', date) + interval '1' month - interval '1' day as date) as "to"
      from (${readSql("build/every_day/campaigns.sql")}\n) as days order by 1`,
    );
  }
  const days = await engine.all<{ date: string; plays: number }>(
    "select date, count(*) as plays from core.play group by date order by date",
  );
  return rangesOf(days, playsAtOnce);
}

/**
 * Of days with their plays, in order: ranges of about as many plays each, without gaps, and open at both ends, because
 * some models have rows of days on which nothing played. One range holds all days.
 */
export function rangesOf(days: readonly { date: string; plays: number }[], playsAtOnce: number): DayRange[] {
  const ranges: DayRange[] = [{ from: "0001-01-01", to: "9999-12-31" }];
  let plays = 0;
  for (const { date, plays: added } of days) {
    const last = ranges.at(-1);
    if (last && plays >= playsAtOnce) {
      last.to = addDays(date, -1);
      ranges.push({ from: date, to: "9999-12-31" });
      plays = 0;
    }
    plays += added;
  }
  return ranges;
}

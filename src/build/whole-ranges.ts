import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import type { Topic } from "../mart/topic.ts";
import { readSql } from "../util/files/sql-file.ts";
import { addDays, type DayRange } from "./day-ranges.ts";

/** So many plays are grouped in little memory, and quicker than all at once. */
const playsPerRange = 1_500_000;

/**
 * The ranges of days, one after another, by which a model by day is built from nothing: models of plays by about as many
 * plays each, those of campaigns by month, whose cells are many times what they are made from. `undefined`: at once.
 */
export async function listWholeRanges(warehouse: DuckDb, topic: Topic): Promise<DayRange[] | undefined> {
  if (topic === "devices") return undefined;
  if (topic === "campaigns") {
    return await warehouse.all<DayRange & Record<string, string>>(
      `select distinct date_trunc('month', date)::date as "from", last_day(date) as "to"
      from (${readSql("build/every_day/campaigns.sql")}\n) as days order by 1`,
    );
  }
  const days = await warehouse.all<{ date: string; plays: number }>(
    "select date, count(*) as plays from staging.play group by date order by date",
  );
  return rangesOf(days);
}

/** Without gaps, and open at both ends: some models have rows of days on which nothing played. */
function rangesOf(days: readonly { date: string; plays: number }[]): DayRange[] {
  const ranges: DayRange[] = [{ from: "0001-01-01", to: "9999-12-31" }];
  let plays = 0;
  for (const { date, plays: added } of days) {
    const last = ranges.at(-1);
    if (last && plays >= playsPerRange) {
      last.to = addDays(date, -1);
      ranges.push({ from: date, to: "9999-12-31" });
      plays = 0;
    }
    plays += added;
  }
  return ranges;
}

import type { Engine } from "../engines/engine.ts";
import { selectPending } from "../mart/pending-days.ts";
import { type Topic, topics, topicTables } from "../mart/topic.ts";
import { listSql, readSql } from "../util/files/package-files.ts";
import { addDays, countDaysBetween } from "../util/local-date.ts";

/**
 * Lists SQL files that select days affected by changes other than loads. They run after the models that they
 * read.
 */
export function listTouchedSql(topic: Topic): string[] {
  const folder = `build/touched/${topic}`;
  return listSql(folder).map((file) => `${folder}/${file}`);
}

/** Finds the topic's days to rebuild: days that loads marked, and days affected by other changes. */
export async function findDirtyDays(engine: Engine, topic: Topic): Promise<KindDay[]> {
  const { dirty } = topicTables[topic];
  for (const file of listTouchedSql(topic))
    await engine.run(`insert into ${dirty} (kind, date) ${readSql(file)}`);
  return await engine.all<KindDay & Record<string, string>>(
    `select distinct kind, date from ${dirty} order by kind, date`,
  );
}

/** Returns a select that lists the dates that loads have marked since the last build, for all topics. */
export function selectDirtyDates(): string {
  return topics
    .flatMap((topic) => [
      `select date from ${topicTables[topic].dirty}`,
      `select date from (${selectPending("build", topic)}) as pending`,
    ])
    .join(" union ");
}

export async function countDirtyDates(engine: Engine): Promise<number> {
  const { dates } = await engine.get<{ dates: number }>(
    `select count(*) as dates from (${selectDirtyDates()}) as dirty`,
  );
  return dates;
}

/** Marks the topic's dirty days as unpublished; with `isEveryDay`, all others too. */
export async function markUnpublished(engine: Engine, topic: Topic, isEveryDay: boolean): Promise<void> {
  const { dirty, unpublished } = topicTables[topic];
  await engine.run(
    `insert into ${unpublished} (kind, date)
    select kind, date from ${dirty} ${isEveryDay ? `union (${readSql(`build/every_day/${topic}.sql`)}\n)` : ""}
    except
    select kind, date from ${unpublished}`,
  );
}

/**
 * Lists consecutive day ranges in which to build a day model from scratch. For plays, the ranges have similar numbers
 * of plays. For campaigns, they are months, because there are far more campaign days than input rows. `undefined`
 * means all days at once.
 * @param playsAtOnce number of plays that fit in memory
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
  return splitDays(days, playsAtOnce);
}

/**
 * Splits days, in order, into gapless ranges with similar numbers of plays. The first and last are open-ended
 * because some models have rows for days without plays, so a single range covers all days.
 */
export function splitDays(days: readonly { date: string; plays: number }[], playsAtOnce: number): DayRange[] {
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

/** A kind and local date (`YYYY-MM-DD`) whose rows must be rebuilt. */
export interface KindDay {
  kind: string;
  date: string;
}

/** Local dates, both inclusive. */
export interface DayRange {
  from: string;
  to: string;
}

/** Gaps of fewer clean days are rebuilt too, because a separate range takes longer: it reads its sources again. */
const minGapDays = 4;
/** Maximum number of ranges. More ranges take longer than rebuilding the clean days between them. */
const maxRanges = 12;

/**
 * Covers these dates with few ranges, which may include clean days. Each is extended by `reachDays` on both
 * sides.
 */
export function coverDates(dates: Iterable<string>, reachDays = 0): DayRange[] {
  const days = [...new Set(dates)].sort();
  for (let gap = minGapDays; ; gap *= 2) {
    const ranges = mergeDays(days, gap + 2 * reachDays);
    if (ranges.length <= maxRanges) {
      return ranges.map(({ from, to }) => ({ from: addDays(from, -reachDays), to: addDays(to, reachDays) }));
    }
  }
}

function mergeDays(days: readonly string[], maxGap: number): DayRange[] {
  const ranges: DayRange[] = [];
  for (const day of days) {
    const last = ranges.at(-1);
    if (last && countDaysBetween(last.to, day) <= maxGap) last.to = day;
    else ranges.push({ from: day, to: day });
  }
  return ranges;
}

import type { Engine } from "../engines/engine.ts";
import { type Topic, topics, topicTables } from "../mart/topic.ts";
import { listSql, readSql } from "../util/files/package-files.ts";
import type { KindDay } from "./day-ranges.ts";

/**
 * Files of SQL: selects of a topic's days that something else than a load has touched since the last build. What they read
 * of the mart is built before.
 */
export function listTouched(topic: Topic): string[] {
  const folder = `build/touched/${topic}`;
  return listSql(folder).map((file) => `${folder}/${file}`);
}

/** The topic's days to build again: those that loads marked, and those otherwise touched. */
export async function findDirtyDays(engine: Engine, topic: Topic): Promise<KindDay[]> {
  const { dirty } = topicTables[topic];
  for (const file of listTouched(topic))
    await engine.run(`insert into ${dirty} (kind, date) ${readSql(file)}`);
  return await engine.all<KindDay & Record<string, string>>(
    `select distinct kind, date from ${dirty} order by kind, date`,
  );
}

/** A select of the dates that loads have marked since the last build, whatever their topic. */
export function selectDirtyDates(): string {
  return topics.map((topic) => `select date from ${topicTables[topic].dirty}`).join(" union ");
}

export async function countDirtyDates(engine: Engine): Promise<number> {
  const { dates } = await engine.get<{ dates: number }>(
    `select count(*) as dates from (${selectDirtyDates()}) as dirty`,
  );
  return dates;
}

/** The topic's dirty days become unpublished; with `isEveryDay`, all others too. */
export async function markUnpublished(engine: Engine, topic: Topic, isEveryDay: boolean): Promise<void> {
  const { dirty, unpublished } = topicTables[topic];
  await engine.run(
    `insert into ${unpublished} (kind, date)
    select kind, date from ${dirty} ${isEveryDay ? `union (${readSql(`build/every_day/${topic}.sql`)}\n)` : ""}
    except
    select kind, date from ${unpublished}`,
  );
}

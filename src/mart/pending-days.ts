import type { Engine } from "../engines/engine.ts";
import { sqlText } from "../engines/sql-text.ts";
import { type Topic, topics, topicTables } from "./topic.ts";

/** Consumers of the days that loads mark. Each takes every day: a build rebuilds it, and `core` publishes it. */
const consumers = ["build", "core"] as const;
type Consumer = (typeof consumers)[number];

/** A changed day of a topic. */
export interface ChangedDay {
  topic: Topic;
  /** `''` for devices. */
  kind: string;
  /** Local date, `YYYY-MM-DD`. */
  date: string;
}

/** Passes the days that loads have marked to all consumers. Call it in a transaction. */
export async function distributeMarks(engine: Engine): Promise<void> {
  const marked = consumers.flatMap((consumer) =>
    topics.map(
      (topic) =>
        `select ${sqlText(consumer)} as consumer, ${sqlText(topic)} as topic, kind, date from ${topicTables[topic].dirty}`,
    ),
  );
  await engine.run(
    `insert into core.pending_day (consumer, topic, kind, date)
    select consumer, topic, kind, date from (${marked.join(" union all ")}) as marked
    except
    select consumer, topic, kind, date from core.pending_day`,
  );
  for (const topic of topics) await engine.run(`delete from ${topicTables[topic].dirty}`);
}

/** Returns a select that lists the days of a topic that a consumer has not taken yet. */
export function selectPending(consumer: Consumer, topic: Topic): string {
  return `select kind, date from core.pending_day
    where consumer = ${sqlText(consumer)} and topic = ${sqlText(topic)}`;
}

export async function listPending(engine: Engine, consumer: Consumer): Promise<ChangedDay[]> {
  return await engine.all<ChangedDay & Record<string, string>>(
    `select topic, kind, date from core.pending_day where consumer = ${sqlText(consumer)} order by all`,
  );
}

export async function clearPending(engine: Engine, consumer: Consumer): Promise<void> {
  await engine.run(`delete from core.pending_day where consumer = ${sqlText(consumer)}`);
}

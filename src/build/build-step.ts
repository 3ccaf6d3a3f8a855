import { createHash } from "node:crypto";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { listTables } from "../engines/duckdb/sql-tables.ts";
import type { Model } from "../mart/model.ts";
import { type Topic, topics, topicTables } from "../mart/topic.ts";
import { readSql } from "../util/files/sql-file.ts";
import { touchedSql } from "./dirty-days.ts";
import { type Buildable, orderBuildables } from "./model-order.ts";
import type { Workbench } from "./workbench.ts";

/** One step of a build: a model, or a table of `core` that the builder itself fills in between. */
export type BuildStep = Buildable &
  (
    | {
        does: "model";
        model: Model;
        /** Of its select and of those of all models that it reads: it changes when one of these does. */
        fingerprint: string;
      }
    | { does: "mark dirty days"; topic: Topic }
    | { does: "record restatements" }
  );

/** All steps, each after what it reads. The order is that of the SQL; nothing else states it. */
export async function planBuild({ parser, models: all }: Workbench): Promise<BuildStep[]> {
  const dirtyDays = await Promise.all(topics.map((topic) => planDirtyDays(parser, topic)));
  const restatements: BuildStep = {
    does: "record restatements",
    name: "core.restatement",
    tables: await listTables(parser, readSql("build/restatement.sql")),
  };
  const models = await Promise.all(
    all.map(async (model): Promise<Buildable & { model: Model }> => {
      const tables = await listTables(parser, model.sql);
      return {
        name: model.name,
        model,
        tables: model.built.by === "day" ? [...tables, topicTables[model.built.topic].unpublished] : tables,
      };
    }),
  );
  const fingerprints = new Map<string, string>();
  return orderBuildables<Buildable | BuildStep>([...dirtyDays, restatements, ...models]).map((item) => {
    if (!("model" in item)) return item as BuildStep;
    const fingerprint = fingerprintOf(item.model, item.tables, fingerprints);
    fingerprints.set(item.name, fingerprint);
    return { ...item, does: "model", fingerprint };
  });
}

async function planDirtyDays(parser: DuckDb, topic: Topic): Promise<BuildStep> {
  const read = await Promise.all(touchedSql(topic).map((sql) => listTables(parser, sql)));
  const { unpublished: name } = topicTables[topic];
  // Dirty days of plays touch those of the other topics.
  const before = topic === "plays" ? [] : [topicTables.plays.unpublished];
  return { does: "mark dirty days", topic, name, tables: [...read.flat(), ...before] };
}

function fingerprintOf(
  { sql, built, published }: Model,
  tables: readonly string[],
  known: ReadonlyMap<string, string>,
): string {
  const withoutComments = sql.replaceAll(/^--.*\n/gm, "").trim();
  const sources = tables.flatMap((table) => known.get(table) ?? []);
  return createHash("sha256")
    .update(JSON.stringify([withoutComments, built, published, sources]))
    .digest("hex");
}

import { createHash } from "node:crypto";
import { listReads } from "../mart/header-parts.ts";
import type { Model } from "../mart/model.ts";
import { type Topic, topics, topicTables } from "../mart/topic.ts";
import { readSql } from "../util/files/package-files.ts";
import { listTouchedSql } from "./dirty-days.ts";

/** One step of a build: a model, or a table of `core` that the builder fills. */
export type BuildStep = Buildable &
  (
    | {
        does: "model";
        model: Model;
        /** Hash of the model's select and of all models it reads, directly or indirectly. */
        fingerprint: string;
      }
    | { does: "mark dirty days"; topic: Topic }
    | { does: "record restatements" }
  );

/**
 * Lists all steps, each after the steps whose results it reads. The order depends only on the reads that headers
 * declare.
 */
export function planBuild(all: readonly Model[]): BuildStep[] {
  const models = all.map((model): Buildable & { model: Model } => ({
    name: model.name,
    model,
    tables:
      model.built.by === "day" ? [...model.reads, topicTables[model.built.topic].unpublished] : model.reads,
  }));
  const fingerprints = new Map<string, string>();
  return orderBuildables<Buildable | BuildStep>([
    ...topics.map(planDirtyDays),
    createRestatementStep(),
    ...models,
  ]).map((item) => {
    if (!("model" in item)) return item as BuildStep;
    const fingerprint = computeFingerprint(item.model, item.tables, fingerprints);
    fingerprints.set(item.name, fingerprint);
    return { ...item, does: "model", fingerprint };
  });
}

function planDirtyDays(topic: Topic): BuildStep {
  const { unpublished: name } = topicTables[topic];
  // Dirty days of plays also make days of the other topics dirty, so plays come first.
  const before = topic === "plays" ? [] : [topicTables.plays.unpublished];
  return {
    does: "mark dirty days",
    topic,
    name,
    tables: [...listTouchedSql(topic).flatMap(listTables), ...before],
  };
}

function createRestatementStep(): BuildStep {
  return {
    does: "record restatements",
    name: "core.restatement",
    tables: listTables("build/restatement.sql"),
  };
}

function listTables(file: string): string[] {
  return listReads(file, readSql(file));
}

function computeFingerprint(
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

/** A table built from other tables: a model, or a table that the builder writes. */
interface Buildable {
  /** `schema.table` */
  name: string;
  /** Tables it reads, as `schema.table`. */
  tables: readonly string[];
}

/**
 * Sorts items so that each follows the items it reads; otherwise keeps their order.
 * @throws if items read each other
 */
function orderBuildables<Item extends Buildable>(items: readonly Item[]): Item[] {
  const byName = new Map(items.map((item) => [item.name, item]));
  const ordered = new Set<Item>();
  const visit = (item: Item, path: readonly string[]): void => {
    if (ordered.has(item)) return;
    if (path.includes(item.name))
      throw new Error(`models read each other: ${[...path, item.name].join(" → ")}`);
    for (const table of item.tables) {
      const source = byName.get(table);
      if (source) visit(source, [...path, item.name]);
    }
    ordered.add(item);
  };
  for (const item of items) visit(item, []);
  return [...ordered];
}

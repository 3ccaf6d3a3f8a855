import { listSql, readSql } from "../util/files/package-files.ts";
import { type AttributeEntity, attributeSubjects } from "./attribute.ts";
import { type HeaderEntry, parseHeaderParts, parseReadsField, wordsOf } from "./header-parts.ts";
import { type Topic, topics } from "./topic.ts";

/** One select in `sql/models/`: folder = schema, file = table. */
export interface Model extends ModelHeader {
  schema: "staging" | "mart";
  table: string;
  /** `schema.table` */
  name: string;
  /** The whole file. */
  sql: string;
}

/** Lists all models. @throws {SyntaxError} when a header is malformed */
export function listModels(): Model[] {
  return (["staging", "mart"] as const).flatMap((schema) =>
    listSql(`models/${schema}`).map((file) => readModel(schema, file.slice(0, -".sql".length))),
  );
}

const known = new Map<string, Model>();

/** @throws {SyntaxError} when its header is malformed */
export function readModel(schema: Model["schema"], table: string): Model {
  const name = `${schema}.${table}`;
  const read = known.get(name);
  if (read) return read;
  const sql = readSql(`models/${schema}/${table}.sql`);
  const model: Model = { schema, table, name, sql, ...parseModelHeader(name, sql) };
  known.set(name, model);
  return model;
}

/** A model's opening comment; see `sql/models/mart/fact_play_day.sql` for the form. */
interface ModelHeader {
  /** Describes one row. */
  summary: string;
  /** Columns that are unique together. */
  grain: string[];
  /** Tables that the model reads, as `schema.table`. */
  reads: string[];
  built: ModelBuild;
  /** For a view: its build on an engine without views. `reader` means that each reader includes the view's select. */
  withoutViews: Exclude<ModelBuild, { by: "view" }> | { by: "reader" };
  /** Layout of its files; only for models of `mart`. @default one file, ordered by the grain */
  published: { isByMonth: boolean; orderedBy: string[] };
  /** Entity type whose attributes it adds as columns. @default none */
  pivot?: AttributeEntity | undefined;
  /** Column definitions in order; in `mart` in the form of `column-definition.ts`. */
  columns: readonly HeaderEntry[];
}

type ModelBuild =
  | { by: "view" }
  | { by: "whole" }
  | {
      by: "day";
      /** Topic whose dirty days are rebuilt. */
      topic: Topic;
      /** Days before and after a changed day that are rebuilt with it. */
      reachDays: number;
      /** True if a changed day applies to every kind, not only its own. */
      isAnyKind: boolean;
      /** True if a row covers a whole month, so that a changed day rebuilds its month. @default false */
      isByMonth?: true;
    };

/** Returns the column with a row's local date; `month` holds the first day of a month. */
export function getDateColumn({ built }: Pick<Model, "built">): "date" | "month" {
  return built.by === "day" && built.isByMonth ? "month" : "date";
}

/** Returns the date of the model's rows to which a local date belongs. */
export function toRowDate(model: Pick<Model, "built">, date: string): string {
  return getDateColumn(model) === "month" ? `${date.slice(0, "YYYY-MM".length)}-01` : date;
}

/** @throws {SyntaxError} when a part is missing or malformed */
function parseModelHeader(name: string, sql: string): ModelHeader {
  const words = ["Grain", "Reads", "Built", "Without views", "Published", "Pivot", "Columns"];
  const { summary, fields, lists } = parseHeaderParts(name, sql, words);
  const columns = lists.get("Columns");
  if (!columns) throw new SyntaxError(`${name}: the header lacks "Columns:"`);
  const grain = wordsOf(fields.get("Grain"));
  if (!summary || grain.length === 0)
    throw new SyntaxError(`${name}: the header lacks its first sentence or "Grain:"`);
  return {
    summary,
    grain,
    reads: parseReadsField(fields.get("Reads")),
    built: parseBuiltField(name, "Built", fields.get("Built")),
    withoutViews: parseWithoutViewsField(name, fields.get("Without views")),
    published: parsePublishedField(name, fields.get("Published"), grain),
    pivot: parsePivotField(name, fields.get("Pivot")),
    columns,
  };
}

function parsePivotField(name: string, text: string | undefined): AttributeEntity | undefined {
  const subject = attributeSubjects.find((word) => word === text);
  if (text !== undefined && !subject) throw new SyntaxError(`${name}: "Pivot: ${text}" is not a subject`);
  return subject;
}

function parseWithoutViewsField(name: string, text = "whole"): ModelHeader["withoutViews"] {
  if (text === "reader") return { by: "reader" };
  const built = parseBuiltField(name, "Without views", text);
  if (built.by === "view")
    throw new SyntaxError(`${name}: "Without views" must be a way to build a table, or reader, but not view`);
  return built;
}

function parseBuiltField(name: string, field: string, text: string | undefined): ModelBuild {
  if (text === "view" || text === "whole") return { by: text };
  const match = /^(day|month)(?: of (\w+))?(?:, reach (\d+))?(, any kind)?$/.exec(text ?? "");
  const topic = topics.find((word) => word === (match?.[2] ?? "plays"));
  if (!match || !topic) {
    throw new SyntaxError(
      `${name}: "${field}: ${text}" should be view, whole, or day|month[ of ${topics.join("|")}][, reach DAYS][, any kind]`,
    );
  }
  return {
    ...{ by: "day", topic, reachDays: Number(match[3] ?? 0), isAnyKind: match[4] !== undefined },
    ...(match[1] === "month" && { isByMonth: true }),
  };
}

function parsePublishedField(
  name: string,
  text: string | undefined,
  grain: string[],
): ModelHeader["published"] {
  if (text === undefined) return { isByMonth: false, orderedBy: grain };
  const match = /^(by month, )?ordered by ([\w, ]+)$/.exec(text);
  if (!match) throw new SyntaxError(`${name}: "Published: ${text}" should be [by month, ]ordered by COLUMNS`);
  return { isByMonth: match[1] !== undefined, orderedBy: wordsOf(match[2]) };
}

import { type Topic, topics } from "./topic.ts";

/** What a model's opening comment says; see `sql/models/mart/fact_play_day.sql` for the form. */
export interface ModelHeader {
  /** What one row is, in words. */
  summary: string;
  /** Columns that are unique together. */
  grain: string[];
  /** `schema.table` of everything that it reads. */
  reads: string[];
  built: ModelBuild;
  /** How its files are laid out. Models of `mart` only; without it: one file, ordered by the grain. */
  published: { isByMonth: boolean; orderedBy: string[] };
  /** What each column means, in the order of the columns. */
  columns: { name: string; description: string }[];
}

/** How a model is built. */
type ModelBuild =
  | { by: "view" }
  | { by: "whole" }
  | {
      by: "day";
      /** Whose dirty days are built again. */
      topic: Topic;
      /** How many days before and after a changed day are built again with it. */
      reachDays: number;
      /** A changed day counts for every kind, not for its own alone. */
      isAnyKind: boolean;
    };

/** @throws {SyntaxError} when a part is missing or malformed */
export function parseModelHeader(name: string, sql: string): ModelHeader {
  const comment: string[] = [];
  for (const line of sql.split("\n")) {
    if (!line.startsWith("--")) break;
    comment.push(line.slice(2));
  }
  const columnsAt = comment.findIndex((line) => line.trim() === "Columns:");
  if (columnsAt < 0) throw new SyntaxError(`${name}: the header lacks "Columns:"`);
  const fields = parseFields(comment.slice(0, columnsAt));
  const grain = listOf(fields.get("Grain") ?? "");
  const summary = fields.get("");
  if (!summary || grain.length === 0)
    throw new SyntaxError(`${name}: the header lacks its first sentence or "Grain:"`);
  return {
    summary,
    grain,
    reads: listOf(fields.get("Reads") ?? "").filter((table) => table !== "nothing"),
    built: parseBuilt(name, fields.get("Built")),
    published: parsePublished(name, fields.get("Published"), grain),
    columns: parseColumns(name, comment.slice(columnsAt + 1)),
  };
}

/** `Word: text` lines by their word; what stands before the first of them under "". */
function parseFields(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  let word = "";
  for (const line of lines) {
    const match = /^ (Grain|Reads|Built|Published): (.*)$/.exec(line);
    if (match?.[1]) word = match[1];
    fields.set(word, `${fields.get(word) ?? ""} ${match?.[2] ?? line.trim()}`.trim());
  }
  return fields;
}

function parseBuilt(name: string, text: string | undefined): ModelBuild {
  if (text === "view" || text === "whole") return { by: text };
  const match = /^day(?: of (\w+))?(?:, reach (\d+))?(, any kind)?$/.exec(text ?? "");
  const topic = topics.find((word) => word === (match?.[1] ?? "plays"));
  if (!match || !topic) {
    throw new SyntaxError(
      `${name}: "Built: ${text}" should be view, whole, or day[ of ${topics.join("|")}][, reach DAYS][, any kind]`,
    );
  }
  return { by: "day", topic, reachDays: Number(match[2] ?? 0), isAnyKind: match[3] !== undefined };
}

function parsePublished(name: string, text: string | undefined, grain: string[]): ModelHeader["published"] {
  if (text === undefined) return { isByMonth: false, orderedBy: grain };
  const match = /^(by month, )?ordered by ([\w, ]+)$/.exec(text);
  if (!match) throw new SyntaxError(`${name}: "Published: ${text}" should be [by month, ]ordered by COLUMNS`);
  return { isByMonth: match[1] !== undefined, orderedBy: listOf(match[2] ?? "") };
}

/** `  name   description`, with further lines of a description indented deeper. */
function parseColumns(name: string, lines: readonly string[]): ModelHeader["columns"] {
  const columns: ModelHeader["columns"] = [];
  for (const line of lines) {
    const [, column, description] = /^ {3}(\w+) {2,}(\S.*)$/.exec(line) ?? [];
    const last = columns.at(-1);
    if (column && description) columns.push({ name: column, description });
    else if (last && /^ {4,}\S/.test(line)) last.description += ` ${line.trim()}`;
    else throw new SyntaxError(`${name}: this line of the header describes no column: ${line}`);
  }
  return columns;
}

function listOf(text: string): string[] {
  return text.split(",").flatMap((word) => word.trim() || []);
}

import type { Page } from "../../api/records/page.ts";
import type { StatusList } from "../../api/records/status.ts";
import type { FormatOptions } from "../../report/format/formatter.ts";
import { formatRows } from "../../report/format/table/format-rows.ts";
import type { ReportColumn, ReportValue } from "../../report/result-types.ts";
import { toSingleLine } from "../../report/text/cell-text.ts";
import { displayWidth, pad } from "../../report/text/display-width.ts";
import type { Inputs } from "./flags.ts";

interface OutputOptions extends FormatOptions {
  inputs: Inputs;
  /** Description of the executed command. */
  sentence: string;
}

/** Writes a response in pieces: as text for people, or with `--json` as the service's JSON. */
export interface Output {
  // biome-ignore lint/suspicious/noExplicitAny: the table of actions pairs each call with the output of its response
  text(response: any, options: OutputOptions): AsyncIterable<string>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  json(response: any, options: OutputOptions): AsyncIterable<string>;
}

type Records = AsyncIterable<object> | Iterable<object>;

/** Output of a command. The service's response is `true` or an empty object. */
export function done(response: true | object = true): Output {
  return {
    async *text(_answer, { sentence }) {
      yield `${sentence}: done.\n`;
    },
    async *json() {
      yield `${formatJson(response)}\n`;
    },
  };
}

export const saved: Output = {
  async *text({ path, bytes }: { path: string; bytes: number }) {
    yield `Saved ${path} (${bytes} bytes).\n`;
  },
  async *json(response) {
    yield `${formatJson(response)}\n`;
  },
};

/** One JSON object per line, with and without `--json`. */
export const jsonLines: Output = { text: writeLines, json: writeLines };

/**
 * A table with one row per record, written as records arrive; with `--json`, an array. Columns are paths,
 * optionally with another heading: `location.name=location`.
 */
export function table(columns: string): Output {
  return {
    text: (records: Records, options) => formatTable(records, columns.split(" ").map(parseColumn), options),
    json: writeJsonArray,
  };
}

/**
 * Writes a page of the main API as a table, followed by its position in the listing. If all records are
 * requested, writes them with `all`.
 */
export function pages(columns: string, all: Output = table(columns)): Output {
  return {
    async *text(response: Page<object> | AsyncIterable<object>, options) {
      if (!("data" in response)) return yield* all.text(response, options);
      yield* table(columns).text(response.data, options);
      const first = (options.inputs.offset ?? 0) + 1;
      const last = first + response.data.length - 1;
      yield response.data.length > 0
        ? `Records ${first} to ${last} of ${response.total_count}.\n`
        : `No records from number ${first} on (total: ${response.total_count}).\n`;
    },
    async *json(response: Page<object> | AsyncIterable<object>, options) {
      if ("data" in response) yield `${formatJson(response, 2)}\n`;
      else yield* all.json(response, options);
    },
  };
}

/** Writes a page of the status API as a table, followed by the number of the next page; or all records. */
export function statusPages(name: string, columns: string): Output {
  return {
    async *text(response: StatusList<object> | AsyncIterable<object>, options) {
      if (!("records" in response)) return yield* table(columns).text(response, options);
      yield* table(columns).text(response.records, options);
      const more = response.next === undefined ? "" : `; more with --page ${response.next}, or --all`;
      yield `${response.total_count} in total${more}.\n`;
    },
    async *json(response: StatusList<object> | AsyncIterable<object>) {
      if (!("records" in response)) return yield* writeJsonArray(response);
      const { records, total_count, next = null } = response;
      const meta = { count: records.length, total_count, next_page: next };
      yield `${formatJson({ [name]: records, meta }, 2)}\n`;
    },
  };
}

/**
 * Writes a record as field names and values, followed by a table for each list. In JSON, the record is nested
 * under `key`.
 */
export function record(key?: string, lists: Record<string, string> = {}): Output {
  return {
    async *text(item: object, options) {
      const fields = [...listFields(item)];
      const plain = fields.filter(([, value]) => !isRecordList(value));
      const width = Math.max(0, ...plain.map(([name]) => displayWidth(name)));
      for (const [name, value] of plain) {
        yield `${pad(name, width, false)}  ${String(formatCell(value) ?? "–")}`.trimEnd().concat("\n");
      }
      for (const [name, value] of fields) {
        if (!isRecordList(value)) continue;
        yield `\n${name}\n`;
        const columns = lists[name]?.split(" ").map(parseColumn) ?? findColumns(value);
        yield* formatTable(value, columns, options);
      }
    },
    async *json(item: object) {
      yield `${formatJson(key === undefined ? item : { [key]: item }, 2)}\n`;
    },
  };
}

/** Yields every field with its path, such as `location.name`. */
function* listFields(item: object, prefix = ""): Generator<[string, unknown]> {
  for (const [key, value] of Object.entries(item)) {
    const name = `${prefix}${toSingleLine(key)}`;
    if (isObject(value) && !Array.isArray(value)) yield* listFields(value, `${name}.`);
    else yield [name, value];
  }
}

interface Column extends ReportColumn {
  path: string;
}

const numericFields =
  /(^|\.)((zone|device|song|artist|asset|campaign|playlist|parent)_)?id$|^(duration(_secs)?|songs|artists|(dis)?likes|assets|minutes_remaining)$/;

function parseColumn(text: string): Column {
  const [path = "", name = path] = text.split("=");
  return { path, name, type: numericFields.test(path) ? "number" : "text" };
}

/** Returns a column for each field, except fields that are an object in every record. */
function findColumns(records: readonly object[]): Column[] {
  const columns = new Map<string, Column>();
  for (const [path, value] of records.flatMap((item) => Object.entries(item))) {
    if (isObject(value) && !Array.isArray(value)) continue;
    const isText = typeof value !== "number" || columns.get(path)?.type === "text";
    columns.set(path, { path, name: toSingleLine(path), type: isText ? "text" : "number" });
  }
  return [...columns.values()];
}

function formatTable(records: Records, columns: Column[], options: FormatOptions): AsyncIterable<string> {
  async function* writeRows() {
    for await (const item of records) yield columns.map(({ path }) => formatCell(getValue(item, path)));
  }
  return formatRows({ columns, rows: writeRows() }, options);
}

function getValue(item: object, path: string): unknown {
  const keys = path in item ? [path] : path.split(".");
  const value = keys.reduce<unknown>((at, key) => Object(at)[key], item);
  return Array.isArray(value) && value.some(isObject) ? value.length : value;
}

/** Formats a value as one cell without control characters; nested values become JSON. */
function formatCell(value: unknown): ReportValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value) && !value.some(isObject)) return toSingleLine(value.join(", "));
  return toSingleLine(typeof value === "string" ? value : JSON.stringify(value));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isRecordList(value: unknown): value is object[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

async function* writeLines(records: Records): AsyncGenerator<string> {
  for await (const item of records) yield `${formatJson(item)}\n`;
}

async function* writeJsonArray(records: Records): AsyncGenerator<string> {
  let before = "[\n";
  for await (const item of records) {
    yield `${before}${formatJson(item)}`;
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}

/**
 * Returns JSON. Escapes control characters that `JSON.stringify` keeps but some terminals interpret.
 */
function formatJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

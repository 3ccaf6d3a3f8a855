import type { SqlStream } from "../../engines/engine.ts";
import type { ColumnDefinition, Unit } from "../../mart/column-definition.ts";
import type { ReportRows } from "../catalog/report-entry.ts";
import type { ColumnType, Report, ReportColumn, ReportRow, ReportValue } from "../result-types.ts";
import { timeWords } from "../text/spans.ts";
import { getShape } from "./column-shape.ts";
import { toReportValue } from "./query-columns.ts";

const types: Readonly<Record<Unit, ColumnType>> = {
  text: "text",
  sentences: "text",
  id: "integer",
  ordinal: "integer",
  count: "integer",
  number: "number",
  share: "share",
  seconds: "integer",
  minutes: "integer",
  bytes: "integer",
  megabytes: "number",
  "kilobits per second": "number",
  degrees: "number",
  date: "date",
  instant: "instant",
  "local time": "local_time",
  "yes or no": "boolean",
};

/**
 * Returns a report's columns: first those of the requested dimensions, then the others. Omits counts that can only be
 * 1.
 * @param singleValued dimensions with a single value in all rows
 */
export function listColumns(
  rows: ReportRows,
  by: readonly string[] = [],
  singleValued: readonly string[] = [],
): ReportColumn[] {
  const shape = getShape(rows);
  const grouped = listGroupingColumns(rows, by);
  const attributes = new Set(by.filter((word) => !shape.by.has(word)));
  const single = [...shape.single].flatMap(([name, words]) =>
    words.some((word) => [...by, ...singleValued].includes(word)) ? [name] : [],
  );
  const hidden = new Set([...[...shape.by.values()].flat(), ...shape.unshown, ...single]);
  const { columns } = shape;
  const measures = columns.flatMap(({ name }) => (hidden.has(name) ? [] : [name]));
  const known = new Map(columns.map((column) => [column.name, column]));
  return [...new Set([...grouped, ...measures])].map((name) =>
    attributes.has(name) ? { name, type: "text", unit: "text" } : toColumn(name, known.get(name)),
  );
}

interface Shown {
  by: readonly string[];
  compare?: unknown;
  zoneIds?: readonly number[];
  deviceIds?: readonly number[] | undefined;
  forSentences?: boolean;
  measures?: readonly string[];
}

/**
 * Returns the columns that a report shows; in a comparison, each measure is followed by its previous value and the
 * change. Omits counts that can only be 1 because one zone or device was requested. The change of a ratio is a
 * difference, so 0.01 means one percentage point.
 */
export function listShownColumns(rows: ReportRows, shown: Shown): ReportColumn[] {
  const { by, compare, zoneIds, deviceIds, forSentences = false, measures } = shown;
  const chosen = forSentences ? [] : Object.entries({ zone: zoneIds, device: deviceIds });
  const singleValued = chosen.flatMap(([word, ids]) => (ids?.length === 1 ? [word] : []));
  const columns = listColumns(rows, by, singleValued);
  if (compare === undefined) {
    const all = forSentences ? [...columns, ...listUnshownColumns(rows)] : columns;
    const labels = listGroupingColumns(rows, by);
    return measures ? all.filter(({ name }) => labels.includes(name) || measures.includes(name)) : all;
  }
  const { by: words, uncompared } = getShape(rows);
  return compareColumns(
    columns,
    new Set([...[...words.values()].flat(), ...listGroupingColumns(rows, by), ...uncompared]),
  );
}

/** Adds the previous value and the change of each column except labels, and the paired values of `times`. */
export function compareColumns(
  columns: readonly ReportColumn[],
  labels: ReadonlySet<string>,
  times: readonly string[] = timeWords,
): ReportColumn[] {
  return columns.flatMap((column) => {
    const { name: of, type } = column;
    const then: ReportColumn = { ...column, name: `${of}_then`, compared: { of, is: "then" } };
    if (times.includes(of)) return [column, then];
    if (labels.has(of)) return [column];
    const change = { ...then, name: `${of}_change`, compared: { of, is: "change" } } as const;
    return [column, then, type === "share" ? { ...change, type: "number" } : change];
  });
}

/** Returns the measures among the columns of a report. */
export function listMeasures(rows: ReportRows, columns: readonly ReportColumn[]): string[] {
  const { by, columns: defined } = getShape(rows);
  const labels = new Set([...by.values()].flat());
  return columns.flatMap(({ name }) =>
    !labels.has(name) && defined.some((column) => column.name === name) ? [name] : [],
  );
}

function listUnshownColumns(rows: ReportRows): ReportColumn[] {
  const { unshown, columns } = getShape(rows);
  return columns.filter(({ name }) => unshown.includes(name)).map((column) => toColumn(column.name, column));
}

/** Returns the columns that `--by` adds; an attribute adds a column with its own name. */
export function listGroupingColumns(rows: ReportRows, by: readonly string[]): string[] {
  const shape = getShape(rows);
  return by.flatMap((word) => shape.by.get(word) ?? [word]);
}

function toColumn(name: string, definition: ColumnDefinition | undefined): ReportColumn {
  if (!definition) throw new SyntaxError(`the report does not define the column ${name}`);
  const { unit } = definition;
  return { name, type: types[unit], unit, ...(unit === "sentences" && { wraps: true }) };
}

export function pickColumns(
  { columns: given, rows }: SqlStream,
  columns: readonly ReportColumn[],
): Pick<Report, "rows"> {
  const positions = columns.map(({ name }) => given.findIndex((column) => column.name === name));
  return { rows: pickValues(rows, positions, columns) };
}

async function* pickValues(
  rows: SqlStream["rows"],
  positions: readonly number[],
  columns: readonly ReportColumn[],
): AsyncIterableIterator<ReportRow> {
  for await (const row of rows) {
    yield columns.map(({ type }, index) => toReportValue(row[positions[index] ?? -1] ?? null, type));
  }
}

export function toRecord(
  columns: readonly Pick<ReportColumn, "name">[],
  row: ReportRow,
): Record<string, ReportValue> {
  return Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null]));
}

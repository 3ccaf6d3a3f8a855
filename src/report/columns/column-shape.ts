import { type ColumnDefinition, type Definition, inheritDefinition } from "../../mart/column-definition.ts";
import type { GroupedReport } from "../catalog/aggregate-report.ts";
import type { ReportRows } from "../catalog/report-entry.ts";

/** Columns and options of a report, from the catalog. */
export interface ReportShape {
  /** Columns that each dimension adds, in order. */
  by: ReadonlyMap<string, readonly string[]>;
  /** Dimensions with which a column is omitted, keyed by column. */
  single: ReadonlyMap<string, readonly string[]>;
  /** Columns used only for notes. */
  unshown: readonly string[];
  /** Measures that are not compared between periods. */
  uncompared: readonly string[];
  /** Definitions of its columns, in order. */
  columns: readonly ColumnDefinition[];
  /** Definitions of key numbers that the report's page derives from the rows. */
  facts: readonly ColumnDefinition[];
}

const shapes = new Map<ReportRows, ReportShape>();

export function getShape(rows: ReportRows): ReportShape {
  const known = shapes.get(rows);
  if (known) return known;
  const shape = "dimensions" in rows ? shapeOf(rows) : shapeOfList(rows);
  shapes.set(rows, shape);
  return shape;
}

/** Returns the definitions of a report's columns, and of key numbers that its page derives from them. */
export function describeReport(rows: ReportRows): ColumnDefinition[] {
  const { columns, facts } = getShape(rows);
  return [...columns, ...facts];
}

function shapeOf({ name: report, dimensions, measures }: GroupedReport): ReportShape {
  const listNames = (entries: [string, object][]) => entries.map(([name]) => name);
  const [words, figures] = [Object.entries(dimensions), Object.entries(measures)];
  const all = [...words.flatMap(([, dimension]) => Object.entries(dimension.columns)), ...figures];
  return {
    by: new Map(words.map(([word, dimension]) => [word, Object.keys(dimension.columns)])),
    single: new Map(figures.flatMap(([name, { single }]) => (single ? [[name, single]] : []))),
    unshown: listNames(figures.filter(([, { isHidden }]) => isHidden)),
    uncompared: listNames(figures.filter(([, { isUncompared }]) => isUncompared)),
    columns: defineColumns(report, all),
    facts: [],
  };
}

/** @throws if the columns are unknown until the rows are selected */
function shapeOfList({ name, columns, facts = {} }: Exclude<ReportRows, GroupedReport>): ReportShape {
  if (columns === undefined) throw new Error(`the columns of ${name} are known only once it runs`);
  return {
    by: new Map(),
    single: new Map(),
    unshown: [],
    uncompared: [],
    columns: defineColumns(name, Object.entries(columns)),
    facts: defineColumns(name, Object.entries(facts)),
  };
}

function defineColumns(report: string, all: readonly [name: string, Definition][]): ColumnDefinition[] {
  const columns = new Map<string, ColumnDefinition>();
  for (const [name, { label, unit, definition, note, like }] of all) {
    // Several dimensions can have the same column, such as the kind of an item.
    if (columns.has(name)) continue;
    const written = Object.entries({ label, unit, definition, note, like }).filter(([, text]) => text);
    columns.set(name, inheritDefinition(report, { name, ...Object.fromEntries(written) }));
  }
  return [...columns.values()];
}

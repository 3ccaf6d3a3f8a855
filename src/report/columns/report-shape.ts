import type { AttributeSubject } from "../../mart/attribute.ts";
import { type ColumnDefinition, type Definition, inheritDefinition } from "../../mart/column-definition.ts";
import type { GroupedReport } from "../catalog/aggregate-report.ts";
import {
  findList,
  findReport,
  findSections,
  listLists,
  listReports,
  listSections,
} from "../catalog/catalog.ts";
import type { ListReport, SectionReport } from "../catalog/list-report.ts";

/** Columns and options of a report, from the catalog. */
export interface ReportShape {
  /** Reports that use it. */
  reports: readonly string[];
  /** Columns that each `--by` word adds, in order. */
  by: ReadonlyMap<string, readonly string[]>;
  attributes: readonly AttributeSubject[];
  /** `--by` words that leave out a column, keyed by column. */
  single: ReadonlyMap<string, readonly string[]>;
  /** Columns used only for notes. */
  unshown: readonly string[];
  /** Measures that are not compared between periods. */
  uncompared: readonly string[];
  /** Definitions of its columns, in order. */
  columns: readonly ColumnDefinition[];
  /** Definitions of figures that the report's page derives from the rows. */
  facts: readonly ColumnDefinition[];
}

const shapes = new Map<string, ReportShape>();

/** @param file a report or list of the catalog */
export function getShape(file: string): ReportShape {
  const known = shapes.get(file);
  if (known) return known;
  const [report, list] = [findReport(file), findList(file) ?? findSections(file)];
  const shape = report ? shapeOf(file, report) : list && shapeOfList(file, list);
  if (!shape) throw new Error(`the catalog has no report ${file}`);
  shapes.set(file, shape);
  return shape;
}

/** Returns the definitions of a report's columns, and of figures that its page derives from them. */
export function describeReport(file: string): ColumnDefinition[] {
  const { columns, facts } = getShape(file);
  return [...columns, ...facts];
}

/** Lists the reports of the catalog. */
export function listShapes(): string[] {
  return [...listReports(), ...listLists(), ...listSections()].map(([name]) => name);
}

function shapeOf(file: string, { of = file, dimensions, measures, attributes }: GroupedReport): ReportShape {
  const listNames = (entries: [string, object][]) => entries.map(([name]) => name);
  const [words, figures] = [Object.entries(dimensions), Object.entries(measures)];
  const all = [...words.flatMap(([, dimension]) => Object.entries(dimension.columns)), ...figures];
  return {
    reports: [of],
    by: new Map(words.map(([word, dimension]) => [word, Object.keys(dimension.columns)])),
    attributes,
    single: new Map(figures.flatMap(([name, { single }]) => (single ? [[name, single]] : []))),
    unshown: listNames(figures.filter(([, { isHidden }]) => isHidden)),
    uncompared: listNames(figures.filter(([, { isUncompared }]) => isUncompared)),
    columns: defineColumns(file, all),
    facts: [],
  };
}

function shapeOfList(file: string, list: ListReport | SectionReport): ReportShape {
  const { of = file, columns, facts = {} } = list;
  return {
    reports: [of],
    by: new Map(),
    attributes: "attributes" in list ? list.attributes : [],
    single: new Map(),
    unshown: [],
    uncompared: [],
    columns: defineColumns(file, Object.entries(columns)),
    facts: defineColumns(file, Object.entries(facts)),
  };
}

function defineColumns(file: string, all: readonly [name: string, Definition][]): ColumnDefinition[] {
  const columns = new Map<string, ColumnDefinition>();
  for (const [name, { label, unit, definition, note, like }] of all) {
    // Several dimensions can have the same column, such as the kind of an item.
    if (columns.has(name)) continue;
    const written = Object.entries({ label, unit, definition, note, like }).filter(([, text]) => text);
    columns.set(name, inheritDefinition(file, { name, ...Object.fromEntries(written) }));
  }
  return [...columns.values()];
}

import type { AttributeSubject } from "../../mart/attribute.ts";
import {
  type ColumnDefinition,
  type Definition,
  describeColumns,
  inheritDefinition,
} from "../../mart/column-definition.ts";
import { listReportFiles, readReportHeader } from "../../mart/report-header.ts";
import type { GroupedReport } from "../catalog/aggregate-report.ts";
import { findList, findReport, listLists, listReports } from "../catalog/catalog.ts";
import type { ListReport } from "../catalog/list-report.ts";

/** Columns and options of a report, from the catalog or from the header of its SQL file. */
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

/**
 * @param file a report or list of the catalog, or a file below `sql/reports/` without extension
 * @throws {SyntaxError} when its header is malformed
 */
export function getShape(file: string): ReportShape {
  const known = shapes.get(file);
  if (known) return known;
  const [report, list] = [findReport(file), findList(file)];
  const shape = report ? shapeOf(file, report) : list ? shapeOfList(file, list) : readShape(file);
  shapes.set(file, shape);
  return shape;
}

/** Returns the definitions of a report's columns, and of figures that its page derives from them. */
export function describeReport(file: string): ColumnDefinition[] {
  const { columns, facts } = getShape(file);
  return [...columns, ...facts];
}

/** Lists the reports of the catalog and the files that define columns. */
export function listShapes(): string[] {
  const files = listReportFiles().filter((file) => readReportHeader(file).columnsOf === undefined);
  return [...[...listReports(), ...listLists()].map(([name]) => name), ...files];
}

function readShape(file: string): ReportShape {
  const { reports, by, attributes, single, unshown, uncompared, facts } = readReportHeader(file);
  const isFact = ({ name }: ColumnDefinition) => facts.some((fact) => fact.name === name);
  const all = describeColumns(file);
  return {
    ...{ reports, by, attributes, single, unshown, uncompared },
    columns: all.filter((column) => !isFact(column)),
    facts: all.filter(isFact),
  };
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

function shapeOfList(file: string, { of = file, columns, facts = {}, attributes }: ListReport): ReportShape {
  return {
    reports: [of],
    by: new Map(),
    attributes,
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

import type { SqlColumn } from "../../engines/engine.ts";
import { type ColumnDefinition, joinDefinition, type Unit } from "../../mart/column-definition.ts";
import { customError } from "../../mart/custom/custom-file.ts";
import { explainCustomError } from "../../mart/custom/custom-select.ts";
import { inferColumnType, parseDecimalType } from "../columns/query-columns.ts";
import type { Arrangement } from "../compile/arrange.ts";
import { sql, toStatement } from "../compile/sql.ts";
import { findColumnDefinition } from "../figures.ts";
import { requireWord } from "../options/option-error.ts";
import type { ReportOptions } from "../options/request-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { ColumnType, ReportColumn } from "../result-types.ts";
import { type CustomReport, listPlaceholders } from "./custom-report.ts";
import type { CustomStatement } from "./custom-statement.ts";

/** Returns the columns of a custom report's statement, without its rows. */
export async function listCustomColumns(
  mart: PublishedMart,
  custom: CustomReport,
  { select, lead }: CustomStatement,
): Promise<ReportColumn[]> {
  const empty = toStatement(sql`select * from (\n${select}\n) as own limit 0`);
  const { columns, rows } = await mart.stream(...empty).catch((error) => {
    throw explainCustomError(custom, error, lead + 1);
  });
  for await (const _row of rows);
  assertNamed(custom, columns);
  return columns.map((column) => customColumn(custom, column));
}

/** @throws {VenueError} `OWN_FILE` if the headline or chart uses a column that the select does not return */
export function assertNamed(custom: CustomReport, columns: readonly SqlColumn[]): void {
  const { headline = "", ranking } = custom;
  const names = columns.map(({ name }) => name);
  const used = listPlaceholders(headline).flatMap(({ column }) => column ?? []);
  const unknown = [...used, ...(ranking ? Object.values(ranking) : [])].find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw customError(
    `${custom.path}: its headline or chart uses the column ${unknown}, which its select does not return. Columns: ${names.join(", ")}.`,
  );
}

/** Returns a column with label, unit and meaning from the file's header, else from a known column of this name. */
export function customColumn(custom: CustomReport, { name, type: sqlType }: SqlColumn): ReportColumn {
  const type = inferColumnType(name, sqlType);
  const definition = custom.columns.find((column) => column.name === name) ?? findColumnDefinition(name);
  const column = { name, type, ...parseDecimalType(sqlType) };
  if (definition === undefined) return column;
  const isUsable = isUnitOf(definition.unit, type);
  return {
    ...column,
    ...(isUsable && {
      unit: definition.unit,
      ...(definition.unit === "share" && { type: "share" as const }),
    }),
    ...(definition.unit === "sentences" && { wraps: true }),
    figure: toFigure(definition),
  };
}

function toFigure(definition: ColumnDefinition): NonNullable<ReportColumn["figure"]> {
  return { name: definition.name, label: definition.label, definition: joinDefinition(definition) };
}

const unitsOfText: readonly Unit[] = ["text", "sentences"];
const unitsOfType: Partial<Record<ColumnType, readonly Unit[]>> = {
  text: unitsOfText,
  date: ["date"],
  instant: ["instant"],
  local_time: ["local time"],
  boolean: ["yes or no"],
};

/** A column may have the name of a known column but another type. */
function isUnitOf(unit: Unit, type: ColumnType): boolean {
  const units = unitsOfType[type];
  return units?.includes(unit) ?? !Object.values(unitsOfType).some((others) => others?.includes(unit));
}

/** Returns the requested order and search of rows with these columns. @throws {ReportOptionError} */
export function chooseOrder({ sort, search }: ReportOptions, columns: readonly string[]): Arrangement {
  return {
    columns,
    sort: sort && { ...sort, column: requireWord("--sort", sort.column, columns) },
    search,
  };
}

/** Yields the items. Passes errors that occur while they are read to `explain`. */
export async function* explained<Item>(
  items: AsyncIterable<Item>,
  explain: (error: unknown) => never,
): AsyncIterableIterator<Item> {
  try {
    yield* items;
  } catch (error) {
    explain(error);
  }
}

import type { AttributeEntity } from "../../mart/attribute.ts";
import type { Definition } from "../../mart/column-definition.ts";
import type { ListQuery } from "../compile/request.ts";
import { name, type Sql, sql } from "../compile/sql.ts";
import type { DimensionColumn } from "./aggregate-report.ts";
import type { IncidentTraits } from "./incident-traits.ts";

/**
 * A report whose rows are single things, such as outages, rather than sums. `compileList` compiles a request for it.
 */
export interface ListReport {
  /** Name of the report, as users know it. */
  name: string;
  /** Selects that `rows` and later tables read, in order. */
  tables?: (query: ListQuery) => readonly (readonly [name: string, select: Sql])[];
  /** The `from` clause: a relation called `f`, and its joins. */
  rows: Sql;
  /** Columns in order: expressions over `rows`. */
  columns: Readonly<Record<string, DimensionColumn>>;
  filters: Readonly<Record<string, ListFilter>>;
  /** Entities whose attributes filter rows. */
  attributes: readonly AttributeEntity[];
  /** Set if the requested attribute values must apply on the row's `date`. @default see `hasValues` */
  attributesOn?: "date";
  /** True if duplicate rows are removed; `order` then lists output columns. @default false */
  isDistinct?: boolean;
  /** True if rows always cover all days, or are as of the data. @default false */
  isTimeless?: boolean;
  /** A total order: expressions over `rows`. */
  order: readonly Sql[];
  /** Sorts rows for `top`, before `order`. @default the order alone */
  ranking?: readonly Sql[];
  /** Returns the condition for rows in one of these states. @default `only` is not accepted */
  isInState?: (states: readonly string[]) => Sql;
  /** Key numbers that the report's page derives from the rows. */
  facts?: Readonly<Record<string, Definition>>;
  /** @default rows are not incidents, because they do not begin and end */
  incidents?: IncidentTraits;
}

export interface ListFilter {
  /** Returns a condition that limits `rows` to these values. */
  where: (values: readonly (string | number)[], query: ListQuery) => Sql;
}

/** Returns columns of `f`, defined like those of a table. */
export function columnsLike(table: string, ...columns: string[]): Record<string, DimensionColumn> {
  return Object.fromEntries(
    columns.map((one) => [one, { of: sql`f.${name(one)}`, like: `${table}.${one}` }]),
  );
}

import type { AttributeEntity } from "../../mart/attribute.ts";
import type { Definition } from "../../mart/column-definition.ts";
import type { ListQuery, Period, ReportQuery, Shift } from "../compile/request.ts";
import type { Sql } from "../compile/sql.ts";
import type { IncidentTraits } from "./incident-traits.ts";

/** Declarations shared by all reports whose rows are grouped by dimensions. */
export interface GroupedReport {
  /** Name of the report that contains these rows, as users know it. */
  name: string;
  /** Dimensions that `--by` accepts, in column order. */
  dimensions: Readonly<Record<string, Dimension>>;
  /** Entities whose attributes can group and filter rows. An attribute's name is looked up in this order. */
  attributes: readonly AttributeEntity[];
  filters: Readonly<Record<string, Filter>>;
  /** Columns after those of the dimensions, in order. */
  measures: Readonly<Record<string, ShownMeasure>>;
  /** Dimensions by which rows are sorted, in order. Attributes come first. */
  order: readonly string[];
  /** Returns the condition for source rows in one of these states. @default `only` is not accepted */
  isInState?: (states: readonly string[]) => Sql;
  /** True if rows always cover all days. @default false */
  isTimeless?: boolean;
  /** @default an incident is identified by the columns of `--by` */
  incidents?: IncidentTraits;
}

/**
 * A report whose rows are sums and counts over facts, grouped by any of its dimensions. `compile` turns a request for
 * it into one statement.
 */
export interface AggregateReport extends GroupedReport {
  /** Facts to read, smallest first. Each aggregate uses the first fact that has the keys it needs. */
  sources: readonly Source[];
  /** Sums and counts over rows of the sources. */
  aggregates: Readonly<Record<string, Aggregate>>;
  measures: Readonly<Record<string, Measure>>;
  /** Measure by which `top` ranks rows. @default `top` is not accepted */
  ranking?: string;
}

/**
 * A report that needs several steps, such as rates per date, so its statement is an SQL file with holes. The last table
 * of the `with` clause is `shown`, which contains the keys and measures.
 */
export interface FilledReport extends GroupedReport {
  /** The file below `sql/reports/templates/`, without extension. */
  template: string;
  /**
   * Selects over rows `f`, each with its keys. A dimension, filter or attribute applies to the first part that has the
   * keys it needs. A part fills the holes that begin with its name: see `fillReport`.
   */
  parts: Readonly<Record<string, readonly Key[]>>;
  /** Fills other holes. @default none */
  pieces?: () => Readonly<Record<string, Sql>>;
}

export type CatalogReport = AggregateReport | FilledReport;

/** A property of source rows that dimensions, filters and aggregates may need. */
export type Key =
  | ("zone" | "device" | "kind" | "item" | "artist" | "campaign" | "reason" | "play" | "uptime" | "opening")
  | ("date" | "hour" | "daypart");

/** Rows of one grain, called `f` in the report's expressions, with a column `date`. */
export interface Source {
  /** A table, or a select in parentheses, which may depend on the period and the query. */
  rows: Sql | ((period: Period, query: ReportQuery) => Sql);
  keys: readonly Key[];
  /** Returns true for queries that it can answer faster than later sources. @default all */
  isOffered?: (query: ReportQuery) => boolean;
  /** @default all rows */
  where?: Sql;
  /** True if distinct values are counted as bits, which takes a sixtieth of the memory. @default false */
  isLarge?: boolean;
}

/** A left join to the source's rows `f`. Joins that it depends on come first in `joins`. */
export type Join = Sql | ((query: ReportQuery, period: Period) => Sql);

/** A grouping that `--by` accepts. */
export interface Dimension {
  needs: readonly Key[];
  joins?: readonly Join[];
  /** Columns to group by: expressions over `f` and the joins. In a comparison, time steps are shifted. */
  keys: Readonly<Record<string, Sql | ((shift: Shift) => Sql)>>;
  /** A left join to the report's rows `r`. @default none */
  label?: Sql;
  columns: Readonly<Record<string, DimensionColumn>>;
  /**
   * True if the dimension groups days by outcome. Windows of `NestedGrouping` then span all outcomes. @default false
   */
  isOutcome?: boolean;
  /** Order of rows: expressions over `r`. @default the keys */
  order?: readonly Sql[];
  /** Dimensions that this one determines, such as an item's kind: expressions over `r`. */
  implies?: Readonly<Record<string, Sql>>;
  /** The time step with which a comparison pairs a row: columns over `r`. */
  paired?: (shift: Shift) => Readonly<Record<string, Sql>>;
}

export interface DimensionColumn extends Definition {
  /** An expression over `r` and the label's table. */
  of: Sql;
}

export interface Filter {
  needs: readonly Key[];
  /** Returns the condition over `f` for rows with one of these values. */
  where: (values: readonly (string | number)[], query: ListQuery) => Sql;
}

interface AggregateBase {
  /** @default none */
  needs?: readonly Key[];
  joins?: readonly Join[];
  /** An expression over `f` and the joins. */
  of: Sql;
}

export type Aggregate = AggregateBase &
  (
    | { is: "sum" }
    /** `type` is the type of the result. @default "bigint" */
    | { is: "min" | "max"; type?: "date"; nested?: NestedGrouping }
    /** Counts distinct values. These counts cannot be added up over rows. */
    | { is: "distinct"; bits?: Bits }
  );

/** Assigns a value to a bit in a block of up to 60 values. */
export interface Bits {
  block: Sql;
  /** 0 to 59 */
  bit: Sql;
}

/** Groups source rows before they are aggregated. The resulting rows are called `n`. */
export interface NestedGrouping {
  /** @default all source rows */
  where?: Sql;
  /** Columns to group by in addition to those of the report's rows: expressions over `f`. */
  keys: Readonly<Record<string, Sql>>;
  /** Aggregates over `f`. */
  sums: Readonly<Record<string, Sql>>;
  /**
   * Window columns over all rows `n` of one report row, or of report rows that differ only by outcome. @param over the
   * window, e.g. `partition by …`
   */
  windows: (over: Sql) => Readonly<Record<string, Sql>>;
}

interface ShownMeasure extends Definition {
  /** Dimensions that omit the measure: a count would be 1 in every row, or a date would be nearly implied. */
  single?: readonly string[];
  /** True for a measure that only notes and sentences use. @default false */
  isHidden?: boolean;
  /** True if it is not compared between periods. @default false */
  isUncompared?: boolean;
  /** True if it is blank, not 0, in a period that lacks the row, as all ratios are. @default false */
  isBlankIfMissing?: boolean;
}

export interface Measure extends ShownMeasure {
  /** An expression over aggregates, each written as `r.name`. */
  of: Sql;
  /**
   * True if the value is divided by the sum over all rows that differ only by campaign or campaign attribute. @default
   * false
   */
  isShareOfWhole?: boolean;
}

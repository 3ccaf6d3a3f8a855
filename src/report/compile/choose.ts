import type {
  Aggregate,
  AggregateReport,
  Bits,
  Dimension,
  Filter,
  GroupedReport,
  Join,
  Measure,
  NestedGrouping,
  Source,
} from "../catalog/aggregate-report.ts";
import { attributeDimension } from "../catalog/attributes.ts";
import type { Period, ReportQuery } from "./request.ts";
import { type Sql, sql } from "./sql.ts";

/** The parts of a report that a query uses. */
export interface Choice {
  report: GroupedReport;
  query: ReportQuery;
  /** Dimensions to group by, attributes first, without those that others determine. */
  dimensions: ReadonlyMap<string, Dimension>;
  conditions: readonly Condition[];
  /** Measures to show, in column order. */
  measures: readonly string[];
}

/** The parts of a report that answer a query. */
export interface Plan extends Choice {
  report: AggregateReport;
  /** Key columns of the dimensions, which identify a row. */
  keys: readonly string[];
  aggregates: ReadonlyMap<string, Aggregate>;
  passes: readonly Pass[];
}

interface Condition {
  needs: Filter["needs"];
  /** Joins of attributes. */
  joins: readonly Join[];
  where: (period: Period) => Sql;
}

/** A read of one source. */
export interface Pass {
  source: Source;
  aggregates: string[];
  nested: NestedGrouping | undefined;
  bits: Bits | undefined;
}

/** Aggregate that counts source rows in one of the states of `only`. */
export const inState = "in_state";

/** Chooses sources for a query, and the dimensions and aggregates to read from them. */
export function choose(report: AggregateReport, query: ReportQuery): Plan {
  const { only, top } = query;
  const choice = chooseParts(report, query);
  const { dimensions, conditions, measures } = choice;
  const needed = [...measures, ...(top === undefined ? [] : [report.ranking ?? ""])];
  const from = needed.flatMap((one) => listAggregates(getMeasure(report, one)));
  const aggregates = new Map(from.map((one) => [one, get(report.aggregates, one, "aggregate")]));
  if (only && report.isInState)
    aggregates.set(inState, { is: "sum", of: sql`case when ${report.isInState(only)} then 1 else 0 end` });
  const sources = report.sources.filter(({ isOffered }) => isOffered?.(choice.query) ?? true);
  return {
    ...{ ...choice, report, aggregates },
    keys: [...dimensions.values()].flatMap(({ keys }) => Object.keys(keys)),
    passes: planPasses(sources, [...dimensions.values(), ...conditions], aggregates),
  };
}

/** Chooses dimensions, conditions and measures for a query. */
export function chooseParts(report: GroupedReport, requested: ReportQuery): Choice {
  // Trino rejects columns with the same name.
  const measures = [...new Set(requested.measures ?? Object.keys(report.measures))];
  const attributes = (requested.attributes ?? []).filter(({ subject }) =>
    report.attributes.includes(subject),
  );
  const query = { ...requested, attributes };
  const known = attributes.map((one, index) => ({ ...one, ...attributeDimension(one, index + 1) }));
  const dimensions = chooseDimensions(
    { ...Object.fromEntries(known.map((one) => [one.name, one.dimension])), ...report.dimensions },
    query.by,
  );
  const conditions: Condition[] = [
    ...Object.entries(query.where ?? {}).map(([word, values]) => {
      const { needs, where } = get(report.filters, word, "filter");
      return { needs, joins: [], where: (period: Period) => where(values, { ...query, period }) };
    }),
    ...known.flatMap(({ values, dimension: { needs, joins = [] }, filter }) =>
      values.length === 0 ? [] : [{ needs, joins, where: () => filter.where(values) }],
    ),
  ];
  return { report, query, dimensions, conditions, measures };
}

/** @throws {Error} if the report has no such measure or ranking */
export function getMeasure({ measures }: AggregateReport, name = ""): Measure {
  return get(measures, name, "measure");
}

/** Returns the aggregates that a measure uses. */
export function listAggregates({ of }: Pick<Measure, "of">): string[] {
  return Array.from(of.text.matchAll(/\br\.(\w+)/g), ([, name = ""]) => name);
}

function chooseDimensions(
  known: Readonly<Record<string, Dimension>>,
  by: readonly string[],
): Map<string, Dimension> {
  const chosen = by.map((word) => get(known, word, "dimension"));
  const implied = new Set(chosen.flatMap(({ implies = {} }) => Object.keys(implies)));
  return new Map(Object.entries(known).filter(([word]) => by.includes(word) && !implied.has(word)));
}

/** Groups aggregates with the same source into a pass, unless they count different bits. */
function planPasses(
  sources: readonly Source[],
  needing: readonly Pick<Dimension, "needs">[],
  aggregates: ReadonlyMap<string, Aggregate>,
): Pass[] {
  const passes: Pass[] = [];
  for (const [name, aggregate] of aggregates) {
    const needs = [...needing, { needs: aggregate.needs ?? [] }].flatMap((one) => one.needs);
    const source = sources.find(({ keys }) => needs.every((key) => keys.includes(key)));
    if (!source) throw new Error(`no source of ${name} has ${[...new Set(needs)].join(", ")}`);
    const nested = "nested" in aggregate ? aggregate.nested : undefined;
    const bits = source.isLarge && "bits" in aggregate ? aggregate.bits : undefined;
    const shared = passes.find(
      (pass) =>
        pass.source === source &&
        pass.nested === nested &&
        (bits === undefined || pass.bits === undefined || pass.bits === bits),
    );
    if (shared) {
      shared.aggregates.push(name);
      shared.bits ??= bits;
    } else passes.push({ source, aggregates: [name], nested, bits });
  }
  return passes;
}

function get<Entry>(entries: Readonly<Record<string, Entry>>, word: string, kind: string): Entry {
  const entry = Object.hasOwn(entries, word) ? entries[word] : undefined;
  if (entry === undefined) throw new Error(`the report has no ${kind} ${word}`);
  return entry;
}

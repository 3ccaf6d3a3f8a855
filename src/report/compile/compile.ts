import type { CatalogReport, Measure } from "../catalog/aggregate-report.ts";
import { choose, getMeasure, inState, listAggregates, type Pass, type Plan } from "./choose.ts";
import { pairPeriods } from "./compare.ts";
import { fillReport } from "./fill-template.ts";
import { isLeading, rankRows } from "./order.ts";
import { noShift, type ReportQuery } from "./request.ts";
import { columns, mergeParts, type Reading, selectPass } from "./select-pass.ts";
import { selectShown } from "./select-shown.ts";
import { and, as, join, name, nothing, type Sql, sql, withTables } from "./sql.ts";

/**
 * Returns the statement for a report. Its columns are those of the dimensions and the measures; in a comparison, each
 * measure is followed by its previous value (`_then`) and the change.
 *
 * Each pass over a source aggregates rows by the dimensions' keys. `union all` and another aggregation combine passes
 * and periods, which avoids joins of rows with null keys. Names are joined last, to the shown rows.
 */
export function compile(report: CatalogReport, query: ReportQuery): Sql {
  if ("template" in report) return fillReport(report, query);
  const plan = choose(report, query);
  const { compare, only, top } = query;
  const isRankedFirst = canRankFirst(plan);
  const tables: [string, Sql][] = isRankedFirst ? rankFirst(plan) : [["part", selectParts(plan)]];
  const flags = compare ? ["is_then"] : [];
  const isMerged = isRankedFirst || compare || plan.passes.length > 1 || plan.passes.some(({ bits }) => bits);
  const place = isRankedFirst ? [as(sql`max(place)`, "place")] : [];
  if (isMerged) tables.push(["summed", mergeParts(plan, name("part"), flags, place)]);
  tables.push(["measured", measure(plan, name(isMerged ? "summed" : "part"), isRankedFirst)]);
  if (compare) tables.push(["paired", pairRows(plan, compare.isPossible)]);
  const conditions = [
    ...(only ? [sql`r.${name(inState)} > 0`] : []),
    ...(isRankedFirst ? [sql`r.place is not null`] : []),
    // Rows are selected by their measures in the reported period.
    ...(compare && (only || top !== undefined) ? [sql`r.is_now = 1`] : []),
  ];
  const where = conditions.length === 0 ? nothing : sql`\nwhere ${and(conditions)}`;
  const kept = sql`select r.*\nfrom ${name(compare ? "paired" : "measured")} as r${where}`;
  tables.push(["shown", top === undefined || isRankedFirst ? kept : rankRows(plan, kept, sql`r.ranking`)]);
  return withTables(tables, selectShown(plan));
}

function selectMeasure({ dimensions, query }: Plan, { of, isShareOfWhole = false }: Measure): Sql {
  if (!isShareOfWhole) return of;
  const places = [...dimensions.values()].filter(({ needs }) => !needs.includes("campaign"));
  const keys = [...places.flatMap((one) => Object.keys(one.keys)), ...(query.compare ? ["is_then"] : [])];
  const whole =
    keys.length === 0 ? nothing : sql`partition by ${join(keys.map((key) => sql`r.${name(key)}`))}`;
  // A sum of whole numbers does not depend on the order.
  const millionths = sql`cast(round((${of}) * 1e6) as bigint)`;
  return sql`cast(${millionths} as double) / nullif(cast(sum(${millionths}) over (${whole}) as bigint), 0)`;
}

function pairRows({ report, query: { only, top }, keys, measures }: Plan, isPossible: boolean): Sql {
  const paired = measures.map((measure) => {
    const { unit, isUncompared, isBlankIfMissing = unit === "share" } = getMeasure(report, measure);
    return { measure, isBlank: isBlankIfMissing, isUncompared };
  });
  const ofNow = [...(only ? [inState] : []), ...(top === undefined ? [] : ["ranking"])];
  return pairPeriods({ keys, measures: paired, ofNow, isPossible }, name("measured"));
}

function listReadings({ query: { period, compare } }: Plan): Reading[] {
  if (!compare) return [{ period, shift: noShift }];
  return [
    { period, shift: noShift, isThen: false },
    { period: compare.period, shift: compare.shift, isThen: true },
  ];
}

function selectParts(plan: Plan): Sql {
  const aggregates = [...plan.aggregates.keys()];
  const parts = listReadings(plan).flatMap((reading) =>
    plan.passes.map((pass) => selectPass(plan, pass, reading, { aggregates })),
  );
  return join(parts, "\nunion all\n");
}

/** Maximum rows that are ranked before the other passes. */
const maxLeaders = 10_000;

/** Returns true if the first pass can rank rows, so that other passes need to read only the leading ones. */
function canRankFirst({ report, query, passes: [first, ...others] }: Plan): boolean {
  const { top = Number.POSITIVE_INFINITY, per = [], compare, only } = query;
  if (top > maxLeaders || per.length > 0 || compare || only || others.length === 0) return false;
  const ranking = listAggregates(getMeasure(report, report.ranking));
  return ranking.every((one) => first?.aggregates.includes(one));
}

function rankFirst(plan: Plan): [string, Sql][] {
  const [first, ...others] = plan.passes as [Pass, ...Pass[]];
  const aggregates = [...plan.aggregates.keys()];
  const [reading] = listReadings(plan) as [Reading];
  const of = selectMeasure(plan, getMeasure(plan.report, plan.report.ranking));
  const leaders = rankRows(plan, selectPass(plan, first, reading, { aggregates }), of);
  const all = join([...plan.keys, ...aggregates, "place"].map(name));
  const parts = others.map((pass) => {
    const rows = selectPass(plan, pass, reading, { aggregates, leading: isLeading(plan) });
    return sql`select r.*, cast(null as bigint) as place from (\n${rows}\n) as r`;
  });
  return [
    ["leader", leaders],
    ["part", join([sql`select ${all} from leader`, ...parts], "\nunion all\n")],
  ];
}

function measure(plan: Plan, rows: Sql, isRankedFirst: boolean): Sql {
  const { report, query, keys, measures } = plan;
  const { compare, only, top } = query;
  const kept = [
    ...keys,
    ...(compare ? ["is_then"] : []),
    ...(only ? [inState] : []),
    ...(isRankedFirst ? ["place"] : []),
  ];
  const ofName = (one: string | undefined) => selectMeasure(plan, getMeasure(report, one));
  return sql`select${columns([
    ...kept.map((column) => sql`r.${name(column)}`),
    ...measures.map((one) => as(ofName(one), one)),
    ...(top === undefined || isRankedFirst ? [] : [as(ofName(report.ranking), "ranking")]),
  ])}\nfrom ${rows} as r`;
}

import type { SqlParameter } from "../../engines/engine.ts";
import type { GroupedReport } from "../catalog/aggregate-report.ts";
import type { ListReport } from "../catalog/list-report.ts";
import { isCompiled, type ReportRows } from "../catalog/report-entry.ts";
import { compile } from "../compile/compile.ts";
import { compileList } from "../compile/compile-list.ts";
import { fillFile } from "../compile/fill-file.ts";
import { getPeriod, type ListQuery, type ReportQuery } from "../compile/request.ts";
import { type Sql, toStatement } from "../compile/sql.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period } from "../result-types.ts";
import { formatQuantity, joinWords } from "../text/readable-text.ts";
import { formatWord } from "../text/titles.ts";
import { formatLabel, listNamedEntities } from "./named-entities.ts";
import type { ReportOptions, Subject } from "./request-options.ts";

/** Inputs of a statement. An absent list filters nothing. */
export type StatementOptions = Partial<Omit<ReportOptions, "from" | "to">> & {
  period?: Period;
  now?: Date;
};

/**
 * Returns a statement with its parameters.
 * @param rows of the catalog, or a file below `sql/reports/` without extension
 * @param pieces for holes of the file that `fillFile` does not fill
 */
export function buildStatement(
  rows: ReportRows | string,
  inputs: StatementOptions,
  pieces: Readonly<Record<string, Sql>> = {},
): [sql: string, parameters: SqlParameter[]] {
  return toStatement(compileRows(rows, inputs, pieces));
}

/** Returns the select of a report's rows, as `buildStatement` does. */
export function compileRows(
  rows: ReportRows | string,
  inputs: StatementOptions,
  pieces: Readonly<Record<string, Sql>> = {},
): Sql {
  if (typeof rows === "string")
    return fillFile(rows, { ...toListQuery(inputs), ...(inputs.now && { now: inputs.now }) }, pieces);
  if (!isCompiled(rows)) throw new Error(`${rows.name} is not a single statement`);
  return "dimensions" in rows
    ? compile(rows, toQuery(rows, inputs))
    : compileList(rows, toListQuery(inputs, rows));
}

const allDays: Period = { from: "1900-01-01", to: "2099-12-31" };

/** Returns a report's query, without filters that the report does not accept. */
export function toQuery(report: GroupedReport, inputs: StatementOptions): ReportQuery {
  const { by = [], top, per, measures } = inputs;
  return {
    ...toListQuery(inputs, report),
    ...{ by, period: report.isTimeless ? allDays : getPeriod(inputs) },
    ...(top !== undefined && per && { per }),
    ...(measures && { measures }),
  };
}

/** @param report filters that it does not accept are omitted. @default all filters */
export function toListQuery(inputs: StatementOptions, report?: GroupedReport | ListReport): ListQuery {
  const { attributes = [], period, top, onlyStates = [] } = inputs;
  const where = Object.entries({
    zone: inputs.zoneIds,
    location: inputs.locationIds,
    group: inputs.groupIds,
    device: inputs.deviceIds,
    kind: inputs.kinds,
    campaign: inputs.campaignKeys,
    item: inputs.itemIds,
    artist: inputs.artistIds,
    load: inputs.loadIds,
    within: inputs.within === undefined ? [] : [inputs.within],
  }).flatMap(([word, values = []]) =>
    values.length > 0 && (report === undefined || word in report.filters) ? [[word, values]] : [],
  );
  return {
    ...{ attributes, where: Object.fromEntries(where) },
    ...(period && !report?.isTimeless && { period }),
    ...(report?.isInState && onlyStates.length > 0 && { only: onlyStates }),
    ...(top !== undefined && { top }),
  };
}

/** Returns a select over a report's rows (`(…) as r`), which the engine aggregates without returning them. */
export function buildAggregate(
  rows: ReportRows | string,
  inputs: StatementOptions,
  selectFrom: (rows: string) => string,
): [sql: string, parameters: SqlParameter[]] {
  return aggregateRows(compileRows(rows, inputs), selectFrom);
}

/** Like `buildAggregate`, for the select of the rows. */
export function aggregateRows(
  rows: Sql,
  selectFrom: (rows: string) => string,
): [sql: string, parameters: SqlParameter[]] {
  const [sql, parameters] = toStatement(rows);
  return [selectFrom(`(\n${sql}\n) as r`), parameters];
}

type Filters = Pick<
  ReportOptions,
  | "groupIds"
  | "zoneIds"
  | "locationIds"
  | "campaignKeys"
  | "kinds"
  | "itemIds"
  | "artistIds"
  | "deviceIds"
  | "loadIds"
  | "within"
  | "attributes"
  | "search"
>;

/** Maximum names in a heading. */
const maxNames = 3;

/** Describes the filters for a heading, e.g. `zone 12 (Bar) and 14 (Gym)`. */
export async function describeFilters(mart: PublishedMart, filters: Filters): Promise<string[]> {
  const chosen: [Subject, readonly number[]][] = [
    ["group", filters.groupIds],
    ["zone", filters.zoneIds],
    ["location", filters.locationIds],
    ["campaign", filters.campaignKeys],
  ];
  const texts: string[] = [];
  for (const [subject, keys] of chosen.filter(([, keys]) => keys.length > 0)) {
    const chosenKeys = new Set(keys);
    const known = (await listNamedEntities(mart, subject)).filter(({ key }) => chosenKeys.has(key));
    const labels = known.map((one) => formatLabel(subject, one));
    texts.push(`${subject} ${joinWords(labels, "and", maxNames)}`);
  }
  const { itemIds = [], artistIds = [], deviceIds = [], loadIds = [] } = filters;
  const numbered = { item: itemIds, artist: artistIds, device: deviceIds, load: loadIds };
  for (const [word, ids] of Object.entries(numbered))
    if (ids.length > 0) texts.push(`${word} ${joinWords(ids.map(String), "and", maxNames)}`);
  for (const { name, values } of filters.attributes)
    if (values.length > 0) texts.push(`${formatWord(name)} ${joinWords(values, "or", maxNames)}`);
  if (filters.kinds.length > 0) texts.push(`kind ${joinWords(filters.kinds, "and")}`);
  if (filters.search !== undefined) texts.push(`rows with "${filters.search}"`);
  if (filters.within !== undefined) texts.push(`within ${formatQuantity(filters.within, "minute")}`);
  return texts;
}

import type { SqlParameter } from "../../engines/engine.ts";
import { sqlName, sqlTimestamp } from "../../engines/sql-text.ts";
import { bindByName } from "../../engines/statements.ts";
import { withoutHeader } from "../../mart/header-parts.ts";
import { listFilters, readReportHeader } from "../../mart/report-header.ts";
import { readSql } from "../../util/files/package-files.ts";
import type { GroupedReport } from "../catalog/aggregate-report.ts";
import { findList, findReport } from "../catalog/catalog.ts";
import type { ListReport } from "../catalog/list-report.ts";
import { compile } from "../compile/compile.ts";
import { compileList } from "../compile/compile-list.ts";
import { getPeriod, type ListQuery, type ReportQuery } from "../compile/request.ts";
import type { Sql } from "../compile/sql.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period } from "../report.ts";
import { joinWords } from "../text/readable-text.ts";
import { formatWord } from "../text/titles.ts";
import { formatLabel, listNamedSubjects } from "./named-subjects.ts";
import type { ChosenAttribute, ReportOptions, Subject } from "./report-options.ts";

/** Inputs of a statement. An absent list means all; an absent instant or date is null. */
export type StatementOptions = Partial<Omit<ReportOptions, "from" | "to">> & {
  period?: Period;
  now?: Date;
};

/**
 * Returns a statement with its parameters.
 * @param file a report or list of the catalog, or a file below `sql/reports/` without extension
 */
export function buildStatement(
  file: string,
  inputs: StatementOptions,
): [sql: string, parameters: SqlParameter[]] {
  const [report, list] = [findReport(file), findList(file)];
  if (report) return toStatement(compile(report, toQuery(report, inputs)));
  return list ? toStatement(compileList(list, toListQuery(list, inputs))) : buildFileStatement(file, inputs);
}

function toStatement({ text, values }: Sql): [sql: string, parameters: SqlParameter[]] {
  return [text, [...values]];
}

/** Returns the statement of a file below `sql/reports/`, with its filters and parameters. */
function buildFileStatement(
  file: string,
  inputs: StatementOptions,
): [sql: string, parameters: SqlParameter[]] {
  const { attributes = [], by = [] } = inputs;
  const sql = nameAttributes(withFilters(file, attributes.length === 0), attributes, by);
  return [sql, bindFilters(sql, inputs)];
}

const allDays: Period = { from: "1900-01-01", to: "2099-12-31" };

/** Returns a report's query, without filters that the report does not take. */
export function toQuery(report: GroupedReport, inputs: StatementOptions): ReportQuery {
  const { by = [], top, per, measures } = inputs;
  return {
    ...toListQuery(report, inputs),
    ...{ by, period: report.isTimeless ? allDays : getPeriod(inputs) },
    ...(top !== undefined && per && { per }),
    ...(measures && { measures }),
  };
}

function toListQuery(report: GroupedReport | ListReport, inputs: StatementOptions): ListQuery {
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
  }).flatMap(([word, values = []]) => (word in report.filters && values.length > 0 ? [[word, values]] : []));
  return {
    ...{ attributes, where: Object.fromEntries(where) },
    ...(period && { period }),
    ...(report.isInState && onlyStates.length > 0 && { only: onlyStates }),
    ...(top !== undefined && { top }),
  };
}

/** Returns the values of the parameters of `sql/filters/p.sql` in a statement. */
export function bindFilters(sql: string, inputs: StatementOptions): SqlParameter[] {
  const { attributes = [], by = [] } = inputs;
  const values = { ...toParameters(inputs), ...toSlotParameters(attributes, by) };
  const isGroupedBy = (word: string) => by.includes(word);
  return bindByName(sql, (name) =>
    name.startsWith("by_") && !(name in values) ? isGroupedBy(name.slice("by_".length)) : values[name],
  );
}

/** Returns a select over a report's rows (`(…) as r`), which the engine aggregates without returning them. */
export function buildAggregate(
  file: string,
  inputs: StatementOptions,
  selectFrom: (rows: string) => string,
): [sql: string, parameters: SqlParameter[]] {
  const [sql, parameters] = buildStatement(file, inputs);
  return [selectFrom(`(\n${sql}\n) as r`), parameters];
}

/** Returns values for the parameters in `sql/filters/p.sql` other than `by_…`, which depend on `--by`. */
function toParameters({
  now,
  period,
  top,
  ...lists
}: StatementOptions): Readonly<Record<string, SqlParameter>> {
  return {
    now_at: now ? sqlTimestamp(now) : null,
    date_from: period?.from ?? null,
    date_to: period?.to ?? null,
    group_ids: encodeList(lists.groupIds),
    zone_ids: encodeList(lists.zoneIds),
    location_ids: encodeList(lists.locationIds),
    kinds: encodeList(lists.kinds),
    campaign_keys: encodeList(lists.campaignKeys),
    item_ids: encodeList(lists.itemIds),
    device_ids: encodeList(lists.deviceIds),
    states: encodeList(lists.onlyStates),
    top_rows: top ?? null,
  };
}

/** Attributes that one statement groups or filters by. */
export const attributeSlots = 3;

/** Returns values for the parameters `slot_…`. An attribute's values may contain any printable character. */
function toSlotParameters(
  attributes: readonly ChosenAttribute[],
  by: readonly string[],
): Readonly<Record<string, SqlParameter>> {
  const slots = Array.from({ length: attributeSlots }, (_, index) => [index + 1, attributes[index]] as const);
  return Object.fromEntries(
    slots.flatMap(([slot, attribute]) => [
      [`slot_${slot}_of`, attribute?.subject ?? ""],
      [`slot_${slot}_name`, attribute?.name ?? ""],
      [`slot_${slot}_values`, encodeValues(attribute?.values ?? [])],
      [`by_slot_${slot}`, attribute !== undefined && by.includes(attribute.name)],
    ]),
  );
}

function encodeValues(values: readonly string[]): string {
  return values.length === 0 ? "" : `\u001f${values.join("\u001f")}\u001f`;
}

/** Gives the columns `attribute_1` to `attribute_3` the names of the attributes that rows are grouped by. */
function nameAttributes(sql: string, attributes: readonly ChosenAttribute[], by: readonly string[]): string {
  return sql.replaceAll(/\battribute_([1-3])\b/g, (column, slot: string) => {
    const name = attributes[Number(slot) - 1]?.name;
    return name !== undefined && by.includes(name) ? sqlName(name) : column;
  });
}

/** Formats a list as `,3,14,`; empty for all. Both engines can bind it as one parameter. */
function encodeList(values: readonly (number | string)[] = []): string {
  return values.length === 0 ? "" : `,${values.join(",")},`;
}

function withFilters(file: string, isPlain: boolean): string {
  const filters = listFilters(readReportHeader(file).reads, isPlain);
  const sql = withoutHeader(readSql(`reports/${file}.sql`));
  if (filters.length === 0) return sql;
  const named = filters.map((filter) => `${filter.name} as (\n${filter.sql})`).join(",\n\n");
  return `with ${named}${/^with\s/.test(sql) ? `,\n\n${sql.slice("with ".length)}` : `\n\n${sql}`}`;
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
    const known = (await listNamedSubjects(mart, subject)).filter(({ key }) => chosenKeys.has(key));
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
  return texts;
}

import { valuesOnDate } from "../catalog/attributes.ts";
import { selectCampaigns, selectZones } from "../catalog/chosen.ts";
import { getPeriod, type ListQuery } from "../compile/request.ts";
import { and, date, join, joinTables, type Sql, sql, userSelect } from "../compile/sql.ts";
import { type StatementOptions, toListQuery } from "../options/build-statement.ts";
import { type CustomRelation, type CustomReport, isOfPeriod } from "./custom-report.ts";

export interface CustomStatement {
  select: Sql;
  /** Number of lines before the file's first line. */
  lead: number;
}

const relations: Readonly<Record<CustomRelation, (query: ListQuery) => Sql>> = {
  chosen_campaign: (query) => selectCampaigns(query, sql`f.*`),
  chosen_zone: (query) => selectZones(query, sql`f.*`),
  chosen_zone_day: selectZoneDays,
  period: (query) => sql`select
    d.date,
    cast(d.iso_year as varchar) || '-W' || lpad(cast(d.iso_week as varchar), 2, '0') as week,
    d.month,
    cast(d.year as varchar) || '-Q' || cast(d.quarter as varchar) as quarter
${selectDates(query)}`,
};

function selectDates(query: ListQuery): Sql {
  const { from, to } = getPeriod(query);
  return sql`from dim_date as d where d.date between ${date(from)} and ${date(to)}`;
}

function selectZoneDays({ attributes = [], ...query }: ListQuery): Sql {
  const { joins, conditions } = valuesOnDate(attributes.filter(({ subject }) => subject === "zone"));
  return sql`select f.zone_id, f.date
from (
    select z.zone_id, d.date from (${selectZones(query)}) as z cross join (select d.date ${selectDates(query)}) as d
) as f
${join(joins, "\n")}
where ${and([sql`true`, ...conditions])}`;
}

/** Matches comments and white space, followed by `with` or `with recursive`. */
const beginning = /^((?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*)(with\s+recursive|with)(?=\s)/i;

/**
 * Returns the statement of a custom report: the relations that it reads, then its text, with lines and columns
 * unchanged. If none of the relations has a period, attributes have their values at the time of the data.
 */
export function customStatement(
  custom: CustomReport,
  { period, ...options }: StatementOptions,
): CustomStatement {
  const { sql: text, reads } = custom;
  if (reads.length === 0) return { select: userSelect(text), lead: 0 };
  const query = toListQuery({ ...options, ...(period && isOfPeriod(custom) && { period }) });
  const tables = joinTables(reads.map((relation) => [relation, relations[relation](query)]));
  const [, , word = ""] = beginning.exec(text) ?? [];
  const begin = /recursive/i.test(word) ? sql`with recursive` : sql`with`;
  const lead = sql`${begin} ${tables}${word === "" ? sql`` : sql`,`}\n`;
  const rest = text.replace(
    beginning,
    (_found, before: string, with_: string) => before + with_.replaceAll(/\S/g, " "),
  );
  return { select: sql`${lead}${userSelect(rest)}`, lead: lead.text.split("\n").length - 1 };
}

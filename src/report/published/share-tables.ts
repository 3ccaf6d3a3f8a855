import { sqlName, sqlText } from "../../engines/sql-text.ts";
import { withoutHeader } from "../../mart/header-parts.ts";
import { readModel } from "../../mart/model.ts";
import type { ShareFilter } from "../../state/data/shares.ts";
import { listSql, readSql } from "../../util/files/package-files.ts";
import { claimedRows, sharedRows } from "./shared-rows.ts";

/** Tables that models compute from the token's rows. */
const computed: readonly string[] = [
  "fact_play_item_day",
  "fact_play_month",
  "fact_play_zone_day",
  "fact_play_zone_hour",
];
/** Tables that these models read. */
const computedFrom = ["fact_play", "fact_play_day", "fact_play_item_day"];

/**
 * Returns SQL that defines the tables of a version as a customer token sees them. For the explanation of a campaign
 * day, `sql/shares/claims/` adds other campaigns that can claim the same plays, without their identity.
 * @param tables the version's tables
 * @param selectOf returns the select of a table's rows in the version's files, and throws if it has no such table
 */
export function buildShareTables(
  share: ShareFilter,
  tables: readonly string[],
  selectOf: (table: string) => string,
): string {
  const shared = listSelects("tables", sharedRows);
  const isComputed = (table: string) => computed.includes(table);
  return [
    "create schema share",
    "create schema mart",
    `create table share.span as ${selectSpans(share, (table) => `(${selectOf(table)})`)}`,
    fillIn(readSql("shares/prepare.sql"), selectOf),
    ...tables
      .filter((table) => !isComputed(table))
      .map((table) =>
        createView("main", table, fillIn(shared[table] ?? selectRows(table, "false"), selectOf)),
      ),
    ...[...new Set([...computedFrom, ...computed])]
      .filter((table) => tables.includes(table))
      .flatMap((table) => [
        ...(isComputed(table) ? [createView("main", table, readModel("mart", table).sql)] : []),
        createView("mart", table, `select * from main.${table}`),
      ]),
    ...Object.entries(listSelects("claims", claimedRows)).map(([table, select]) =>
      createView("mart", table, fillIn(select, selectOf)),
    ),
  ].join(";\n");
}

/**
 * Returns a select of the token's campaigns, with the ranges of local dates in which all attributes have an accepted
 * value.
 * @param from returns the relation of a table
 */
export function selectSpans({ campaigns, attributes }: ShareFilter, from: (table: string) => string): string {
  const chosen = campaigns === undefined ? "" : `where campaign_key in (${campaigns.join(", ")})`;
  return attributes.reduce(
    (spans, { name, values }) => `select
    s.campaign_key,
    greatest(s.valid_from, a.valid_from) as valid_from,
    least(s.valid_to, a.valid_to) as valid_to
from (${spans}) as s
inner join ${from("bridge_campaign_attribute")} as a
    on a.campaign_key = s.campaign_key and a.valid_from <= s.valid_to and a.valid_to >= s.valid_from
where a.attribute_name = ${sqlText(name)} and a.attribute_value in (${values.map(sqlText).join(", ")})`,
    `select campaign_key, date '1900-01-01' as valid_from, date '2099-12-31' as valid_to
from ${from("dim_campaign")} as c ${chosen}`,
  );
}

function createView(schema: string, table: string, select: string): string {
  return `create view ${schema}.${sqlName(table)} as ${select}`;
}

/** Replaces `whole.TABLE` with the rows in the version's files, so that no view contains all rows of a table. */
function fillIn(sql: string, selectOf: (table: string) => string): string {
  return withoutHeader(sql).replaceAll(/\bwhole\.(\w+)/g, (_, table: string) => `(${selectOf(table)})`);
}

function selectRows(table: string, condition: string): string {
  return `select t.* from whole.${table} as t where ${condition}`;
}

/** Returns selects by table: the files of a folder in `sql/shares/`, and selects of rows that meet a condition. */
function listSelects(folder: string, rows: Readonly<Record<string, string>>): Record<string, string> {
  const files = listSql(`shares/${folder}`);
  return Object.fromEntries([
    ...files.map((file) => [file.slice(0, -".sql".length), readSql(`shares/${folder}/${file}`)] as const),
    ...Object.entries(rows).map(([table, condition]) => [table, selectRows(table, condition)] as const),
  ]);
}

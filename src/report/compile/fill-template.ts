import type { FilledReport, Key } from "../catalog/aggregate-report.ts";
import { type Choice, chooseParts } from "./choose.ts";
import { noShift, type ReportQuery } from "./request.ts";
import { joinRows } from "./select-pass.ts";
import { selectShown } from "./select-shown.ts";
import { as, date, fill, join, name, nothing, type Sql, sql } from "./sql.ts";

/**
 * Compiles a report with a template. Its holes are the dates `from` and `to`, `only`, `group`, `names`, and for each
 * part, whose rows are `f`:
 *
 * - `part_joins`: joins that the following holes need
 * - `part_keys`: columns to group by, each after a comma; `part_names`: only their names
 * - `part_filters`: conditions that are not on attributes, each after `and`
 * - `part_values`: conditions on attributes, each after `and`
 * - `part_used`: false if the query neither groups nor filters by the part
 */
export function fillReport(report: FilledReport, query: ReportQuery): Sql {
  const choice = chooseParts(report, query);
  const { only, period } = query;
  const keys = [...choice.dimensions.values()].flatMap((one) => Object.keys(one.keys)).map(name);
  const parts = Object.keys(report.parts).flatMap((part) => {
    const pieces = fillPart(choice, (one) => findPart(report, one) === part);
    return Object.entries(pieces).map(([hole, piece]) => [`${part}_${hole}`, piece]);
  });
  const tables = fill(`reports/templates/${report.template}.sql`, {
    ...Object.fromEntries(parts),
    ...report.pieces?.(),
    from: date(period.from),
    to: date(period.to),
    only: only && report.isInState ? sql`\n    and ${report.isInState(only)}` : nothing,
    names: prefix(sql`, `, keys),
    group: keys.length > 0 ? sql`\ngroup by ${join(keys)}` : nothing,
  });
  return sql`${tables}\n\n${selectShown(choice)}`;
}

interface Needing {
  needs: readonly Key[];
}

function findPart({ parts }: FilledReport, { needs }: Needing): string | undefined {
  return Object.keys(parts).find((part) => needs.every((key) => parts[part]?.includes(key)));
}

function fillPart(
  { dimensions, conditions, query }: Choice,
  isOfPart: (one: Needing) => boolean,
): Record<string, Sql> {
  const [grouped, chosen] = [[...dimensions.values()].filter(isOfPart), conditions.filter(isOfPart)];
  const keys = grouped.flatMap((one) => Object.entries(one.keys));
  const where = (isOfAttribute: boolean) =>
    chosen.filter(({ joins }) => joins.length > 0 === isOfAttribute).map((one) => one.where(query.period));
  return {
    joins: joinRows(
      [...grouped, ...chosen].flatMap(({ joins = [] }) => joins),
      query,
      query.period,
    ),
    keys: prefix(
      sql`,\n    `,
      keys.map(([key, of]) => as(typeof of === "function" ? of(noShift) : of, key)),
    ),
    names: prefix(
      sql`, `,
      keys.map(([key]) => name(key)),
    ),
    filters: prefix(sql`\n    and `, where(false)),
    values: prefix(sql`\n    and `, where(true)),
    used: grouped.length + chosen.length > 0 ? sql`true` : sql`false`,
  };
}

function prefix(before: Sql, pieces: readonly Sql[]): Sql {
  return join(
    pieces.map((piece) => sql`${before}${piece}`),
    "",
  );
}

import type { AttributeEntity } from "../../mart/attribute.ts";
import type { ListQuery, QueriedAttribute } from "../compile/request.ts";
import { and, date, isIn, join, name, type Sql, sql, text } from "../compile/sql.ts";
import type { Dimension } from "./aggregate-report.ts";

export const keyColumns: Readonly<Record<AttributeEntity, Sql>> = {
  zone: sql`zone_id`,
  campaign: sql`campaign_key`,
  item: sql`item_key`,
};

interface AttributeDimension {
  dimension: Dimension;
  filter: { needs: Dimension["needs"]; where: (values: readonly string[]) => Sql };
  /** Joins the value on the date of `f`. */
  join: Sql;
}

/**
 * Returns an attribute as a dimension and filter. A fact has the attribute's value on its date, or `(none)`. In the
 * statement, the column is called `attribute_1` or the like, since users may choose any name.
 * @param position unique in the statement
 */
export function attributeDimension(
  { subject, name: attribute }: Pick<QueriedAttribute, "subject" | "name">,
  position: number,
): AttributeDimension {
  const alias = name(`a${position}`);
  const column = `attribute_${position}`;
  const key = keyColumns[subject];
  const value = sql`coalesce(${alias}.attribute_value, '(none)')`;
  const valued = sql`left join ${name(`bridge_${subject}_attribute`)} as ${alias}
    on ${alias}.${key} = f.${key}
    and ${alias}.attribute_name = ${text(attribute)}
    and f.date between ${alias}.valid_from and ${alias}.valid_to`;
  return {
    dimension: {
      needs: [subject],
      joins: [valued],
      keys: { [column]: value },
      columns: { [attribute]: { of: sql`r.${name(column)}`, label: attribute, unit: "text" } },
    },
    filter: { needs: [subject], where: (values) => isIn(value, values, text) },
    join: valued,
  };
}

/** Returns joins and conditions for rows `f` that have the requested values on their `date`. */
export function valuesOnDate(attributes: readonly QueriedAttribute[]): { joins: Sql[]; conditions: Sql[] } {
  const chosen = attributes
    .filter(({ values }) => values.length > 0)
    .map((one, index) => ({ ...attributeDimension(one, index + 1), values: one.values }));
  return {
    joins: chosen.map((one) => one.join),
    conditions: chosen.map(({ filter, values }) => filter.where(values)),
  };
}

/**
 * Limits rows `f` to entities that had all requested attribute values on the same day of the period. Without a period,
 * the day of the data is used.
 */
export function hasValues(subject: AttributeEntity, { attributes = [], period }: ListQuery): Sql[] {
  const ofSubject = attributes.filter((one) => one.subject === subject && one.values.length > 0);
  if (ofSubject.length === 0) return [];
  const { joins, conditions } = valuesOnDate(ofSubject);
  return [
    sql`f.${keyColumns[subject]} in (
    select f.${keyColumns[subject]}
    from ${subjectDays(subject, ofSubject, period)} as f
    ${join(joins, "\n")}
    where ${and(conditions)}
)`,
  ];
}

/**
 * Returns a relation of all zones, campaigns or items, once for the first day of the period and once for each later day
 * on which one of the attributes may change. Without a period, it contains only the day of the data.
 */
export function subjectDays(
  subject: AttributeEntity,
  attributes: readonly Pick<QueriedAttribute, "name">[],
  period: ListQuery["period"],
): Sql {
  const [table, bridge] = [name(`dim_${subject}`), name(`bridge_${subject}_attribute`)];
  const isNamed = isIn(
    sql`attribute_name`,
    attributes.map((one) => one.name),
    text,
  );
  const days = period
    ? sql`select ${date(period.from)} as date
        union
        select valid_from as date
        from ${bridge}
        where ${isNamed} and valid_from between ${date(period.from)} and ${date(period.to)}
        union
        select cast(valid_to + interval '1' day as date) as date
        from ${bridge}
        where ${isNamed} and valid_to >= ${date(period.from)} and valid_to < ${date(period.to)}`
    : sql`select cast(coalesce(data_as_of, built_at) as date) as date from mart_info`;
  return sql`(
        select t.*, d.date
        from ${table} as t
        cross join (
        ${days}
        ) as d
    )`;
}

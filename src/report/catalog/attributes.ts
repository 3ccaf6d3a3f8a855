import type { AttributeSubject } from "../../mart/attribute.ts";
import type { QueriedAttribute } from "../compile/request.ts";
import { isIn, name, type Sql, sql, text } from "../compile/sql.ts";
import type { Dimension } from "./aggregate-report.ts";

export const keyColumns: Readonly<Record<AttributeSubject, Sql>> = {
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
 * Returns an attribute as a dimension and filter. Each fact counts for the value on its date, and for
 * `(none)` if there is none. Within the statement the column is called `attribute_1` or the like, since the
 * user's name may be any word.
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

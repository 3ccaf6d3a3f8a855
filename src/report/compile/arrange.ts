import { join, nothing, quoted, type Sql, sql, text, whole } from "./sql.ts";

/** Order, selection and number of a report's rows by its columns. */
export interface Arrangement {
  /** Columns that readers see. */
  columns: readonly string[];
  /** `isDown` puts the largest or last first. @default the order of the rows */
  sort?: { column: string; isDown: boolean } | undefined;
  /** Only rows that contain this text in one of the columns, ignoring case. @default all */
  search?: string | undefined;
  /** Maximum rows. @default all */
  limit?: number | undefined;
}

/**
 * Selects, sorts and limits the rows of a statement without a limit. Other columns break ties, so that both engines
 * return the same order. `rows` begins on the second line of the resulting statement.
 */
export function arrangeRows(rows: Sql, { columns, sort, search, limit }: Arrangement): Sql {
  const end = limit === undefined ? nothing : sql`\nlimit ${whole(limit)}`;
  if (!sort && search === undefined) return sql`${rows}${end}`;
  const found = columns.map(
    (column) =>
      sql`position(lower(${text(search ?? "")}) in lower(coalesce(cast(${quoted(column)} as varchar), ''))) > 0`,
  );
  const isFound = found.length > 0 ? join(found, " or ") : sql`false`;
  const where = search === undefined ? nothing : sql`\nwhere ${isFound}`;
  return sql`select * from (\n${rows}\n) as found${where}${sort ? orderBy(sort, columns) : nothing}${end}`;
}

function orderBy({ column, isDown }: NonNullable<Arrangement["sort"]>, columns: readonly string[]): Sql {
  const ties = columns.filter((other) => other !== column).map((other) => sql`${quoted(other)} nulls last`);
  const direction = isDown ? sql`desc` : sql`asc`;
  return sql`\norder by ${join([sql`${quoted(column)} ${direction} nulls last`, ...ties])}`;
}

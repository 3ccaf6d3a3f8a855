import type { Engine, SqlParameter } from "./engine.ts";

/** Statements have limits; a query's plan grows with its rows. */
const rowsPerStatement = 500;

/**
 * Inserts rows that this program made.
 * @param columns names, with the types that values are cast to
 * @param rows values in the order of the columns
 */
export async function insertRows(
  engine: Engine,
  table: string,
  columns: Readonly<Record<string, string>>,
  rows: readonly (readonly SqlParameter[])[],
): Promise<void> {
  const names = Object.keys(columns).join(", ");
  const casts = Object.entries(columns).map(([name, type]) => `cast(${name} as ${type})`);
  const row = `(${Object.keys(columns)
    .map(() => "?")
    .join(", ")})`;
  for (let first = 0; first < rows.length; first += rowsPerStatement) {
    const part = rows.slice(first, first + rowsPerStatement);
    await engine.run(
      `insert into ${table} (${names})
      select ${casts.join(", ")} from (values ${part.map(() => row).join(", ")}) as made (${names})`,
      part.flat(),
    );
  }
}

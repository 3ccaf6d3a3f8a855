import type { Engine, SqlParameter } from "./engine.ts";

/** Runs the statements of a script one by one, because not every engine accepts several at once. */
export async function runScript(engine: Engine, sql: string): Promise<void> {
  for (const statement of listStatements(sql)) await engine.run(statement);
}

/** Splits a script into statements, without semicolons. */
export function listStatements(sql: string): string[] {
  const pieces = sql.match(/--.*|'(?:[^']|'')*'|"(?:[^"]|"")*"|;|[^-'";]+|-/g) ?? [];
  const statements = [""];
  for (const piece of pieces) {
    if (piece === ";") statements.push("");
    else statements.push(`${statements.pop()}${piece.startsWith("--") ? "" : piece}`);
  }
  return statements.map((statement) => statement.trim()).filter(Boolean);
}

/** Maximum number of rows per statement. Statements have a length limit, and query plans grow with the rows. */
const rowsPerStatement = 500;

/** Inserts rows in batches. @param columns types keyed by name, in the order of the values in `rows` */
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

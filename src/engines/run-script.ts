import type { Engine } from "./engine.ts";

/** Runs a file of several statements one by one: not every engine takes them together. */
export async function runScript(engine: Engine, sql: string): Promise<void> {
  for (const statement of listStatements(sql)) await engine.run(statement);
}

/** The statements of a text, without the semicolons that end them. */
export function listStatements(sql: string): string[] {
  const pieces = sql.match(/--.*|'(?:[^']|'')*'|"(?:[^"]|"")*"|;|[^-'";]+|-/g) ?? [];
  const statements = [""];
  for (const piece of pieces) {
    if (piece === ";") statements.push("");
    else statements.push(`${statements.pop()}${piece.startsWith("--") ? "" : piece}`);
  }
  return statements.map((statement) => statement.trim()).filter(Boolean);
}

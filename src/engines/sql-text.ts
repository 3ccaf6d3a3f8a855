/** A text as SQL writes it, for what can't be bound, such as file names. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A name as SQL writes it. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** An instant as DuckDB reads a naive UTC timestamp: `2026-11-21 08:00:00.000`. */
export function sqlTimestamp(instant: Date): string {
  return instant.toISOString().replace("T", " ").replace("Z", "");
}

/** A path for a reader that takes patterns: what means something in one stands for itself. */
export function escapeGlob(path: string): string {
  return path.replace(/[*?[]/g, "[$&]");
}

/** An instant as DuckDB reads a naive UTC timestamp: `2026-11-21 08:00:00.000`. */
export function sqlTimestamp(instant: Date): string {
  return instant.toISOString().replace("T", " ").replace("Z", "");
}

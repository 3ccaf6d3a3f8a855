import type { Report, ReportValue } from "../report.ts";

/** An array of row objects, one per line. Integers beyond 2^53 are written in full; NaN and infinity are null. */
export async function* formatJson({ columns, rows }: Report): AsyncIterable<string> {
  const names = columns.map(({ name }) => JSON.stringify(name));
  let separator = "[\n";
  for await (const row of rows) {
    const members = names.map((name, index) => `${name}:${jsonText(row[index] ?? null)}`);
    yield `${separator}{${members.join(",")}}`;
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}

function jsonText(value: ReportValue): string {
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}

import type { Report, ReportColumn, ReportValue } from "../report.ts";

/** An array of row objects, one per line. Integers beyond 2^53 and decimals are numbers with all their digits; NaN and infinity are null. */
export async function* formatJson({ columns, rows }: Report): AsyncIterable<string> {
  const names = columns.map(({ name }) => JSON.stringify(name));
  let separator = "[\n";
  for await (const row of rows) {
    const members = names.map((name, index) => `${name}:${jsonText(row[index] ?? null, columns[index])}`);
    yield `${separator}{${members.join(",")}}`;
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}

function jsonText(value: ReportValue, column: ReportColumn | undefined): string {
  const isNumber = typeof value === "bigint" || (typeof value === "string" && column?.type === "number");
  return isNumber ? String(value) : JSON.stringify(value);
}

import { catalog } from "../../src/report/catalog/catalog.ts";
import { listColumns } from "../../src/report/columns/list-columns.ts";
import type { Report } from "../../src/report/result-types.ts";

/** A report's rows, as objects by column. @param but columns to leave out */
export async function rowsOf(
  { columns, rows }: Report,
  { but = [] }: { but?: readonly string[] } = {},
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  for await (const row of rows) {
    const values = columns.map(({ name }, index) => [name, row[index]] as const);
    found.push(Object.fromEntries(values.filter(([name]) => !but.includes(name))));
  }
  return found;
}

export function otherMeasures(report: keyof typeof catalog, known: readonly string[]): string[] {
  return listColumns(catalog[report]).flatMap(({ name }) => (known.includes(name) ? [] : [name]));
}

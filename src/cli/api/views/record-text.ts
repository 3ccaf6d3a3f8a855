import type { FormatOptions } from "../../../report/format/formatter.ts";
import { formatRows } from "../../../report/format/table/format-rows.ts";
import { displayWidth, pad, singleLine } from "../../../report/text/display-text.ts";
import { type Column, displayValue, isObject, number, rowsOf, text } from "./columns.ts";

/** A record for people: names with values, one a line, then a table for each list of records in it. */
export async function* recordText(
  record: object,
  lists: Record<string, readonly Column[]>,
  options: FormatOptions,
): AsyncGenerator<string> {
  const fields = [...fieldsOf(record)];
  const plain = fields.filter(([, value]) => !isList(value));
  const width = Math.max(0, ...plain.map(([name]) => displayWidth(name)));
  for (const [name, value] of plain) {
    yield `${pad(name, width, false)}  ${String(displayValue(value) ?? "–")}`.trimEnd().concat("\n");
  }
  for (const [name, value] of fields) {
    if (!isList(value)) continue;
    yield `\n${name}\n`;
    const columns = lists[name] ?? columnsOf(value);
    yield* formatRows({ columns, rows: rowsOf(value, columns) }, options);
  }
}

/** Every field with its path: `location.name`. */
function* fieldsOf(record: object, prefix = ""): Generator<[string, unknown]> {
  for (const [key, value] of Object.entries(record)) {
    const name = `${prefix}${singleLine(key)}`;
    if (isObject(value) && !Array.isArray(value)) yield* fieldsOf(value, `${name}.`);
    else yield [name, value];
  }
}

function isList(value: unknown): value is object[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

/** The plain fields that any of the records has. */
function columnsOf(records: readonly object[]): Column[] {
  const names = new Set<string>();
  const texts = new Set<string>();
  for (const record of records) {
    for (const [name, value] of Object.entries(record)) {
      if (isObject(value) && !Array.isArray(value)) continue;
      names.add(name);
      if (typeof value !== "number") texts.add(name);
    }
  }
  return [...names].map((name) => {
    const column = texts.has(name) ? text(name) : number(name);
    return { ...column, name: singleLine(name) };
  });
}

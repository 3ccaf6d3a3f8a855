import { type AttributeSubject, firstDate, lastDate } from "../../mart/attribute.ts";
import { describeColumns } from "../../mart/column-definition.ts";
import { listReportFiles, readReportHeader } from "../../mart/report-header.ts";
import { contentKinds, kinds, largestId } from "../../util/kind.ts";
import { isLocalDate } from "../../util/local-date.ts";
import type { JudgeHeader, LineMistake, LineWarning, ReferenceRow } from "./reference-file.ts";

/** Type of thing that an attribute file describes. The attributes of a location apply to its zones. */
type FileSubject = AttributeSubject | "location";

/** One attribute value: a row of `core.attribute`. */
export interface AttributeRow {
  subject: FileSubject;
  subject_key: number;
  name: string;
  value: string;
  /** Local dates, inclusive. */
  valid_from: string;
  valid_to: string;
}

interface AttributeFileForm {
  subject: FileSubject;
  /** Accepted values of the column `kind`. Absent if the file has no such column. */
  kinds?: readonly string[];
}

export const attributeFiles = {
  "zone_attributes.csv": { subject: "zone" },
  "location_attributes.csv": { subject: "location" },
  "campaign_attributes.csv": { subject: "campaign", kinds: contentKinds },
  "item_attributes.csv": { subject: "item", kinds },
} as const satisfies Record<string, AttributeFileForm>;
export type AttributeFileName = keyof typeof attributeFiles;

/** Columns that only make a file easier to read. Their values are ignored. */
const remarks = ["zone_name", "location_id", "location_name", "campaign_name", "item_name", "group_name"];
const dates = ["valid_from", "valid_to"];

export function keyColumns({ subject, kinds: ofKinds }: AttributeFileForm): string[] {
  return [...(ofKinds ? ["kind"] : []), `${subject}_id`];
}

/** Returns a check that the key columns exist and that every other column has a valid attribute name. */
export function judgeColumns(form: AttributeFileForm): JudgeHeader {
  return (columns) => {
    const keys = keyColumns(form);
    if (!keys.every((key) => columns.includes(key)))
      return [columns.join(), `the key ${keys.join()}, optionally ${dates.join()}, and columns of your own`];
    const twice = columns.find((name, index) => columns.indexOf(name) !== index);
    if (twice !== undefined) return [twice, "each column once"];
    const reserved = listReservedNames();
    for (const name of listAttributes(form, columns)) {
      if (!/^[a-z][a-z0-9_]{0,39}$/.test(name))
        return [
          name,
          `a column name of lowercase letters, digits and underscores, such as ${suggestName(name)}`,
        ];
      if (reserved.has(name)) return [name, `a different column name: ${name} is reserved for reports`];
    }
    return undefined;
  };
}

/** Names that an attribute can't have, because reports use them for columns, `--by` words and filters. */
function listReservedNames(): ReadonlySet<string> {
  const files = listReportFiles();
  return new Set([
    ...files.flatMap((file) => [
      ...readReportHeader(file).by.keys(),
      ...describeColumns(file).map(({ name }) => name),
    ]),
    ...[
      "attribute_name",
      "attribute_value",
      "valid_from",
      "valid_to",
      "by",
      "from",
      "to",
      "only",
      "top",
      "sort",
      "search",
    ],
    ...["load", "compare", "where", "format", "out", "version", "as_of", "quarter", "daypart"],
  ]);
}

function suggestName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[_0-9]+|_+$/g, "");
  return plain === "" ? "region" : plain.slice(0, 40);
}

function listAttributes(form: AttributeFileForm, columns: readonly string[]): string[] {
  const others = [...keyColumns(form), ...dates, ...remarks];
  return columns.filter((name) => !others.includes(name));
}

/** Reads a file's attribute values: one row per attribute and line, except for empty cells. */
export function readAttributes(
  form: AttributeFileForm,
  columns: readonly string[],
  rows: readonly ReferenceRow[],
): { rows: AttributeRow[]; mistakes: LineMistake[]; warnings: LineWarning[] } {
  const mistakes: LineMistake[] = [];
  const found: (AttributeRow & { lineNumber: number })[] = [];
  const names = listAttributes(form, columns);
  for (const row of rows) {
    const mistake = findMistake(form, row);
    if (mistake) {
      mistakes.push({ lineNumber: row.lineNumber, value: mistake[0], accepted: mistake[1] });
      continue;
    }
    const { valid_from: from = "", valid_to: to = "" } = row.values;
    for (const name of names) {
      const value = row.values[name] ?? "";
      if (value === "") continue;
      found.push({
        subject: form.subject,
        subject_key: keyOf(form, row),
        name,
        value,
        valid_from: from === "" ? firstDate : from,
        valid_to: to === "" ? lastDate : to,
        lineNumber: row.lineNumber,
      });
    }
  }
  const overlaps = mistakes.length > 0 ? [] : findOverlaps(found);
  return {
    rows: found.map(({ lineNumber: _, ...row }) => row),
    mistakes: [...mistakes, ...overlaps],
    warnings: findSpellings(found),
  };
}

function findMistake(
  form: AttributeFileForm,
  { values }: ReferenceRow,
): readonly [value: string, accepted: string] | undefined {
  const idColumn = `${form.subject}_id`;
  const { [idColumn]: id = "", kind = "", valid_from: from = "", valid_to: to = "" } = values;
  if (form.kinds && !form.kinds.includes(kind)) return [kind, `a kind: ${form.kinds.join(", ")}`];
  if (!/^\d+$/.test(id) || Number(id) > largestId) return [id, `a ${idColumn} from 0 to ${largestId}`];
  for (const [date, column] of [
    [from, "valid_from"],
    [to, "valid_to"],
  ] as const) {
    if (date !== "" && !(isLocalDate(date) && date >= firstDate && date <= lastDate))
      return [date, `${column} as YYYY-MM-DD, from ${firstDate} to ${lastDate}, or empty`];
  }
  if (from !== "" && to !== "" && from > to) return [`${from} to ${to}`, "valid_from up to valid_to"];
  return undefined;
}

function keyOf({ subject }: AttributeFileForm, { values: { kind, ...values } }: ReferenceRow): number {
  const id = Number(values[`${subject}_id`]);
  return kind === undefined ? id : id * 4 + kinds.indexOf(kind as (typeof kinds)[number]);
}

/**
 * Finds lines for the same thing and attribute whose dates overlap. Each mistake is reported at the later
 * line.
 */
function findOverlaps(rows: readonly (AttributeRow & { lineNumber: number })[]): LineMistake[] {
  const mistakes = new Map<number, LineMistake>();
  const ordered = [...rows].sort(
    (a, b) =>
      a.subject_key - b.subject_key ||
      a.name.localeCompare(b.name) ||
      a.valid_from.localeCompare(b.valid_from) ||
      a.lineNumber - b.lineNumber,
  );
  ordered.forEach((row, index) => {
    const before = ordered[index - 1];
    if (before?.subject_key !== row.subject_key || before.name !== row.name) return;
    if (row.valid_from > before.valid_to) return;
    const [first, later] = before.lineNumber < row.lineNumber ? [before, row] : [row, before];
    mistakes.set(later.lineNumber, {
      lineNumber: later.lineNumber,
      value: `${later.name} ${later.value}`,
      accepted: `dates that do not overlap those of line ${first.lineNumber}`,
    });
  });
  return [...mistakes.values()].sort((a, b) => a.lineNumber - b.lineNumber);
}

/** Finds values that differ only in case or spaces from an earlier value of the same attribute. */
function findSpellings(rows: readonly (AttributeRow & { lineNumber: number })[]): LineWarning[] {
  const first = new Map<string, { value: string; lineNumber: number }>();
  return rows.flatMap(({ name, value, lineNumber }) => {
    const plain = `${name} ${value.normalize("NFC").replace(/\s+/g, " ").toLowerCase()}`;
    const known = first.get(plain);
    if (!known) first.set(plain, { value, lineNumber });
    if (!known || known.value === value) return [];
    return [
      {
        lineNumber,
        message: `${name} "${value}" differs only in case or spaces from "${known.value}" in line ${known.lineNumber}.`,
      },
    ];
  });
}

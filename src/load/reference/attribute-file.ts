import type { AttributeEntity } from "../../mart/attribute.ts";
import { listUsedNames } from "../../report/catalog/catalog.ts";
import { contentKinds, encodeKey, type Kind, kinds, largestId } from "../../util/kind.ts";
import { findUnlisted } from "./closed-values.ts";
import { findMisspelled } from "./misspelled.ts";
import type { CheckHeader, LineMistake, LineWarning, ReferenceRow } from "./reference-file.ts";
import { dateColumns, findDateMistake, findOverlaps, readDates } from "./valid-dates.ts";

/** Entities that an attribute file describes. Values of a location apply to its zones. */
export type FileEntity = AttributeEntity | "location";

/** One value of an attribute, as in `core.attribute`. */
interface AttributeRow {
  subject: FileEntity;
  subject_key: number;
  name: string;
  value: string;
  /** Local dates, inclusive. */
  valid_from: string;
  valid_to: string;
}

/** An entity that a line refers to, which may be unknown. */
export interface NamedThing {
  lineNumber: number;
  subject: FileEntity | "group";
  /** `zone_id`, `location_id`, `campaign_key`, `item_key` or `group_id`. */
  key: number;
  /** As in the file, e.g. `signage 13`. */
  text: string;
}

interface AttributeFileForm {
  subject: FileEntity;
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
export const remarks = [
  "zone_name",
  "location_id",
  "location_name",
  "campaign_name",
  "item_name",
  "group_name",
];

/** Returns the columns that identify an entity. */
export function keyColumns({ subject, kinds: ofKinds }: AttributeFileForm): string[] {
  return [...(ofKinds ? ["kind"] : []), `${subject}_id`];
}

/** Returns a check that the key columns exist and that every other column has a valid attribute name. */
export function checkColumns(form: AttributeFileForm): CheckHeader {
  return (columns) => {
    const keys = keyColumns(form);
    if (!keys.every((key) => columns.includes(key)))
      return [
        columns.join(),
        `the key ${keys.join()}, optionally ${dateColumns.join()}, and columns of your own`,
      ];
    const twice = columns.find((name, index) => columns.indexOf(name) !== index);
    if (twice !== undefined) return [twice, "each column once"];
    const reserved = listReservedNames();
    for (const name of listAttributes(form, columns)) {
      if (!/^[a-z][a-z0-9_]{0,39}$/.test(name))
        return [
          name,
          `a column name of lowercase letters, digits and underscores, such as ${suggestName(name)}`,
        ];
      if (reserved.has(name.replace(/_(then|change)$/, "")))
        return [name, `a different column name: ${name} is reserved for reports`];
    }
    return undefined;
  };
}

/** Names that an attribute can't have, because reports use them for columns, dimensions and filters. */
function listReservedNames(): ReadonlySet<string> {
  return new Set([
    ...listUsedNames(),
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

export function listAttributes(form: AttributeFileForm, columns: readonly string[]): string[] {
  const others = [...keyColumns(form), ...dateColumns, ...remarks];
  return columns.filter((name) => !others.includes(name));
}

/** First spelling of each value, keyed by attribute and value, ignoring case and repeated spaces. */
export type Spellings = Map<string, { value: string; place: string; file: string }>;

interface ReadAttributes {
  rows: AttributeRow[];
  /** Entities that lines refer to. */
  named: NamedThing[];
  mistakes: LineMistake[];
  warnings: LineWarning[];
}

/**
 * Reads the values of a file, one row per attribute and line. Empty cells produce no row.
 * @param spellings those of earlier files, to which this file's are added. Zones and locations share theirs.
 */
export function readAttributes(
  form: AttributeFileForm,
  file: { name: string; columns: readonly string[]; rows: readonly ReferenceRow[] },
  spellings: Spellings,
): ReadAttributes {
  const mistakes: LineMistake[] = [];
  const named: NamedThing[] = [];
  const found: (AttributeRow & { lineNumber: number })[] = [];
  const names = listAttributes(form, file.columns);
  for (const row of file.rows) {
    const { lineNumber } = row;
    const ofPlace = form.subject === "zone" || form.subject === "location";
    const mistake = findMistake(form, row) ?? (ofPlace ? findUnlisted(names, row.values) : undefined);
    if (mistake) {
      mistakes.push({ lineNumber, value: mistake[0], accepted: mistake[1] });
      continue;
    }
    const { subject } = form;
    const key = keyOf(form, row);
    named.push({
      lineNumber,
      subject,
      key,
      text: keyColumns(form)
        .map((column) => row.values[column])
        .join(" "),
    });
    for (const name of names) {
      const value = row.values[name] ?? "";
      if (value === "") continue;
      found.push({ subject, subject_key: key, name, value, ...readDates(row), lineNumber });
    }
  }
  const overlaps =
    mistakes.length > 0
      ? []
      : findOverlaps(
          found.map(({ subject_key: key, name, value, ...line }) => ({
            ...line,
            of: `${key} ${name}`,
            text: `${name} ${value}`,
          })),
        );
  return {
    rows: found.map(({ lineNumber: _, ...row }) => row),
    named,
    mistakes: [...mistakes, ...overlaps],
    warnings: [...findSpellings(found, file.name, spellings), ...findMisspelled(found)],
  };
}

function findMistake(
  form: AttributeFileForm,
  row: ReferenceRow,
): readonly [value: string, accepted: string] | undefined {
  const idColumn = `${form.subject}_id`;
  const { [idColumn]: id = "", kind = "" } = row.values;
  if (form.kinds && !form.kinds.includes(kind)) return [kind, `a kind: ${form.kinds.join(", ")}`];
  if (!/^\d+$/.test(id) || Number(id) > largestId) return [id, `a ${idColumn} from 0 to ${largestId}`];
  return findDateMistake(row);
}

function keyOf({ subject }: AttributeFileForm, { values: { kind, ...values } }: ReferenceRow): number {
  const id = Number(values[`${subject}_id`]);
  return kind === undefined ? id : encodeKey(kind as Kind, id);
}

/** Finds values that differ from an earlier one only in case or spaces. */
function findSpellings(
  rows: readonly (AttributeRow & { lineNumber: number })[],
  file: string,
  spellings: Spellings,
): LineWarning[] {
  return rows.flatMap(({ name, value, lineNumber }) => {
    const plain = `${name} ${value.normalize("NFC").replace(/\s+/g, " ").toLowerCase()}`;
    const known = spellings.get(plain);
    if (!known) spellings.set(plain, { value, place: `line ${lineNumber}`, file });
    if (!known || known.value === value) return [];
    const place = known.file === file ? known.place : `${known.file}, ${known.place}`;
    return [
      {
        lineNumber,
        message: `${name} "${value}" differs only in case or spaces from "${known.value}" in ${place}.`,
      },
    ];
  });
}

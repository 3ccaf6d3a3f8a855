import { join } from "node:path";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { largestId } from "../../util/kind.ts";
import { VenueError } from "../../util/venue-error.ts";
import {
  type AttributeFileName,
  attributeFiles,
  checkColumns,
  type NamedThing,
  readAttributes,
  type Spellings,
} from "./attribute-file.ts";
import { checkCampaignTargets, identifyCampaign, readCampaignTarget } from "./campaign-targets.ts";
import { checkDayparts, readDaypart } from "./dayparts.ts";
import { ReferenceFileError } from "./errors.ts";
import { checkFootfall, footfallColumns, identifyPlace, readFootfall } from "./footfall.ts";
import { checkOpeningHours, readOpeningHours } from "./opening-hours.ts";
import {
  type CheckHeader,
  type LineMistake,
  type LineWarning,
  type ReferenceRow,
  readFileOrWorkbook,
  type Separator,
} from "./reference-file.ts";
import { dateColumns, readDates } from "./valid-dates.ts";
import { checkZoneKinds } from "./zone-kinds.ts";

type TableName =
  | "zone_time_zones.csv"
  | "group_names.csv"
  | "opening_hours.csv"
  | "zone_kinds.csv"
  | "dayparts.csv"
  | "campaign_targets.csv"
  | "footfall.csv";
export type ReferenceName = TableName | AttributeFileName;

export interface CheckedReference {
  name: ReferenceName;
  path: string;
  /** Hash of the text, to detect changes. Empty if the file is unreadable. */
  sha256: string;
  /** `undefined` if the file is unreadable, or a workbook. */
  separator: Separator | undefined;
  /** Rows for `temp.reference_row` or `temp.attribute_row`; empty if any line is invalid. */
  rows: object[];
  /** Number of lines with content; 0 if any line is invalid. */
  lines: number;
  /** Entities that lines refer to and that may be unknown. */
  named: readonly NamedThing[];
  /** Invalid lines, or the reason why the file is unusable. If there are any, the rows applied last stay in use. */
  mistakes: VenueError[];
  warnings: LineWarning[];
}

/** Returns the invalid value and the accepted form, or `undefined` for a valid line. */
type CheckLine = (row: ReferenceRow) => readonly [value: string, accepted: string] | undefined;

type Thing = Omit<NamedThing, "lineNumber">;

interface ReferenceTable {
  name: TableName;
  /** Column names, or a function that checks them. The first column holds the id of the zone or group, if any. */
  columns: readonly string[] | CheckHeader;
  /** Entity type that the first column identifies. Absent if it is not an id. */
  subject?: "zone" | "group";
  /** Returns the entity that a line describes, if the first column does not identify it. @default none */
  identify?(row: ReferenceRow): Thing;
  /** Columns that may follow. A file has all of them or none. */
  optional?: readonly string[];
  isIdUnique: boolean;
  /** Returns the check for a single line. Called only if the file has lines. */
  check(warehouse: DuckDb): Promise<CheckLine>;
  /** Returns mistakes for lines that contradict other lines. */
  findContradictions?(rows: readonly ReferenceRow[]): LineMistake[];
  toRow(row: ReferenceRow, id: number): object;
}

/** Reads the reference files, and finds all of their mistakes. A missing file is treated as empty. */
export async function checkReference(warehouse: DuckDb, folder: string): Promise<CheckedReference[]> {
  const files: CheckedReference[] = [];
  // A location's values also apply to its zones, so both files should use the same spellings.
  const ofZones: Spellings = new Map();
  for (const form of [...tables, ...attributeFileNames]) {
    const name = typeof form === "string" ? form : form.name;
    const path = join(folder, name);
    try {
      files.push(
        typeof form === "string"
          ? await readAttributeFile(path, form, /^(zone|location)_/.test(form) ? ofZones : new Map())
          : await readTable(warehouse, path, form),
      );
    } catch (error) {
      if (!(error instanceof VenueError)) throw error;
      files.push({
        name,
        path: error instanceof ReferenceFileError ? error.path : path,
        sha256: "",
        separator: undefined,
        rows: [],
        lines: 0,
        named: [],
        mistakes: [error],
        warnings: [],
      });
    }
  }
  return files;
}

/** Lists the files with mistakes, whose earlier rows stay in use, with the first mistake of each. */
export function listReferenceProblems(files: readonly CheckedReference[]): string[] {
  return files.flatMap(({ mistakes: [first, ...others] }) => {
    if (!first) return [];
    const more = others.length === 0 ? "" : ` \`venue reference check\` lists ${others.length} more.`;
    return [`${first.message}${more} Until then, the rows applied last stay in use.`];
  });
}

const tables: readonly ReferenceTable[] = [
  {
    name: "zone_time_zones.csv",
    columns: ["zone_id", "time_zone"],
    subject: "zone",
    isIdUnique: true,
    check: async (warehouse) => {
      const zones = await warehouse.all<{ name: string }>("select name from pg_timezone_names()");
      const timeZones = new Set(zones.map(({ name }) => name));
      return ({ values: { time_zone: timeZone = "" } }) =>
        timeZones.has(timeZone) ? undefined : [timeZone, "an IANA time zone name, such as Europe/Berlin"];
    },
    toRow: ({ values: { time_zone: value = "" } }, id) => ({ id, value }),
  },
  {
    name: "group_names.csv",
    columns: ["group_id", "group_name"],
    subject: "group",
    isIdUnique: true,
    check:
      async () =>
      ({ values: { group_name: name = "" } }) =>
        name === "" ? [name, "a non-empty name"] : undefined,
    toRow: ({ values: { group_name: value = "" } }, id) => ({ id, value }),
  },
  {
    name: "opening_hours.csv",
    columns: ["zone_id", "day_of_week", "opens", "closes"],
    subject: "zone",
    isIdUnique: false,
    ...rulesOf(checkOpeningHours),
    toRow: (row, id) => ({ id, ...readOpeningHours(row) }),
  },
  {
    name: "zone_kinds.csv",
    columns: ["zone_id", "kind"],
    subject: "zone",
    optional: dateColumns,
    isIdUnique: false,
    ...rulesOf(checkZoneKinds),
    toRow: (row, id) => ({ id, value: row.values.kind ?? "", ...readDates(row) }),
  },
  {
    name: "dayparts.csv",
    columns: ["name", "from", "to"],
    isIdUnique: false,
    ...rulesOf(checkDayparts),
    toRow: (row, id) => ({ id, ...readDaypart(row) }),
  },
  {
    name: "campaign_targets.csv",
    columns: checkCampaignTargets.checkColumns,
    identify: identifyCampaign,
    isIdUnique: false,
    ...rulesOf(checkCampaignTargets),
    toRow: (row, id) => ({ id, ...readCampaignTarget(row) }),
  },
  {
    name: "footfall.csv",
    columns: footfallColumns,
    optional: dateColumns,
    identify: identifyPlace,
    isIdUnique: false,
    ...rulesOf(checkFootfall),
    toRow: (row, id) => ({ id, ...readFootfall(row) }),
  },
];

interface LineRules extends Required<Pick<ReferenceTable, "findContradictions">> {
  findMistake: CheckLine;
}

function rulesOf({ findMistake, findContradictions }: LineRules) {
  return { check: async () => findMistake, findContradictions };
}

const attributeFileNames = Object.keys(attributeFiles) as AttributeFileName[];

export const referenceNames: readonly ReferenceName[] = [
  ...tables.map(({ name }) => name),
  ...attributeFileNames,
];

async function readAttributeFile(
  filePath: string,
  name: AttributeFileName,
  spellings: Spellings,
): Promise<CheckedReference> {
  const form = attributeFiles[name];
  const file = await readFileOrWorkbook(filePath, checkColumns(form));
  const { path, sha256, separator, columns, rows: lines } = file;
  const { rows, named, mistakes, warnings } = readAttributes(form, { name, columns, rows: lines }, spellings);
  return {
    name,
    path,
    sha256,
    separator,
    rows: mistakes.length === 0 ? rows : [],
    lines: mistakes.length === 0 ? lines.length : 0,
    named,
    mistakes: mistakes.map(
      ({ lineNumber, value, accepted }) => new ReferenceFileError(path, lineNumber, value, accepted),
    ),
    warnings: warnings.map(({ lineNumber, message }) => ({
      lineNumber,
      message: `${path}, line ${lineNumber}: ${message}`,
    })),
  };
}

async function readTable(
  warehouse: DuckDb,
  filePath: string,
  table: ReferenceTable,
): Promise<CheckedReference> {
  const { path, sha256, separator, rows } = await readFileOrWorkbook(filePath, columnsOf(table));
  const { name, subject, check, toRow } = table;
  const idColumn = getIdColumn(table);
  const identify = (row: ReferenceRow): Thing | undefined => {
    const key = Number(row.values[idColumn]);
    return subject ? { subject, key, text: String(key) } : table.identify?.(row);
  };
  const found = rows.length === 0 ? [] : findMistakesOf(rows, table, await check(warehouse));
  const mistakes = found.map(
    ({ lineNumber, value, accepted }) => new ReferenceFileError(path, lineNumber, value, accepted),
  );
  const valid = mistakes.length === 0 ? rows.map((row) => ({ row, thing: identify(row) })) : [];
  const usable = valid.map(({ row, thing }) => toRow(row, thing?.key ?? 0));
  const named = valid.flatMap(({ row: { lineNumber }, thing }) => (thing ? [{ lineNumber, ...thing }] : []));
  return { name, path, sha256, separator, rows: usable, lines: usable.length, named, mistakes, warnings: [] };
}

/** Returns the columns of a table, or a check that accepts those with and without the optional ones. */
function columnsOf({ columns, optional }: ReferenceTable): readonly string[] | CheckHeader {
  if (!optional || typeof columns === "function") return columns;
  const accepted = [columns.join(), [...columns, ...optional].join()];
  return (found) =>
    accepted.includes(found.join())
      ? undefined
      : [found.join(), `the columns ${columns.join()}, optionally followed by ${optional.join()}`];
}

/** Returns the name of the id column; empty if lines do not refer to zones or groups. */
function getIdColumn({ columns, subject }: ReferenceTable): string {
  return subject === undefined || typeof columns === "function" ? "" : (columns[0] ?? "");
}

function findMistakesOf(
  rows: readonly ReferenceRow[],
  table: ReferenceTable,
  judgeLine: CheckLine,
): LineMistake[] {
  const { isIdUnique, findContradictions = () => [] } = table;
  const idColumn = getIdColumn(table);
  const seen = new Set<string>();
  const mistakes = rows.flatMap((row) => {
    const text = row.values[idColumn] ?? "";
    const { lineNumber } = row;
    if (idColumn !== "" && (!/^\d+$/.test(text) || Number(text) > largestId)) {
      return [{ lineNumber, value: text, accepted: `a ${idColumn} from 0 to ${largestId}` }];
    }
    const id = String(Number(text));
    if (isIdUnique && seen.has(id)) return [{ lineNumber, value: text, accepted: `each ${idColumn} once` }];
    seen.add(id);
    const mistake = judgeLine(row);
    return mistake ? [{ lineNumber, value: mistake[0], accepted: mistake[1] }] : [];
  });
  return mistakes.length > 0 ? mistakes : findContradictions(rows);
}

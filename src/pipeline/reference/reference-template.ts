import { existsSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { DataFolder } from "../../config/data-folder.ts";
import type { Settings } from "../../config/settings.ts";
import {
  type AttributeFileName,
  attributeFiles,
  checkColumns,
  type FileEntity,
  keyColumns,
  listAttributes,
  remarks,
} from "../../load/reference/attribute-file.ts";
import { readFileOrWorkbook } from "../../load/reference/reference-file.ts";
import { dateColumns } from "../../load/reference/valid-dates.ts";
import { formatTextField } from "../../report/format/text-formats.ts";
import { writeWholeFile } from "../../report/format/write-report.ts";
import { withPublished } from "../../report/published/with-published.ts";
import { resolveLinks } from "../../util/files/folders.ts";
import { VenueError } from "../../util/venue-error.ts";

export interface WrittenTemplate {
  /** True if builds read the file. */
  isRead: boolean;
  /** The folder in which builds look for the file. Set if the file has the right name but is in another folder. */
  expectedIn?: string;
  /** A file with entries, which must be removed before the next build. */
  replaced?: string;
}

interface Template {
  /** The current file, if it has rows. */
  source: string | undefined;
  columns: readonly string[];
  rows: readonly Values[];
}

/** Cell values by column. */
type Values = Readonly<Record<string, string>>;

/** Selects for all published entities: the key, then columns that help people identify them. */
const knownThings: Readonly<Record<FileEntity, string>> = {
  zone: `select zone_id, zone_name, location_id, location_name
    from dim_zone left join dim_location using (location_id) order by zone_id`,
  location: "select location_id, location_name from dim_location order by location_id",
  campaign: "select kind, campaign_id, campaign_name from dim_campaign order by kind, campaign_id",
  item: "select kind, item_id, item_name from dim_item order by kind, item_id",
};

/** Columns of a template for a file that has no attributes yet. */
const examples: Readonly<Record<FileEntity, readonly string[]>> = {
  zone: ["region", "brand"],
  location: ["region"],
  campaign: ["advertiser"],
  item: ["genre"],
};

/**
 * Writes an attribute file with a line for each published entity, and the values of the current file.
 * @param out a `.csv` or `.xlsx` file
 * @returns the CSV as text if `out` is absent; otherwise, whether builds read `out`, and the file under another
 * name that it replaces
 * @throws {VenueError} `TEMPLATE_EXISTS` if `out` exists and is not the reference file
 */
export async function writeTemplate(
  settings: Settings,
  signal: AbortSignal,
  { name, out }: { name: AttributeFileName; out?: string | undefined },
): Promise<{ text: string } | WrittenTemplate> {
  const extension = out === undefined ? ".csv" : extname(out);
  if (extension !== ".csv" && extension !== ".xlsx") throw templateFormatError(out);
  const { reference } = new DataFolder(settings.get("VENUE_DATA_DIR"));
  const path = join(reference, name);
  const places = [path, path.replace(/\.csv$/, ".xlsx")];
  const isPlace = out !== undefined && places.some((place) => isSamePath(place, out));
  if (out !== undefined && existsSync(out) && !isPlace) throw templateExistsError(out, path);
  const template = await makeTemplate(settings, signal, name, path);
  if (out === undefined) return { text: csvOf(template) };
  // Without the byte order mark, spreadsheets read a CSV as Latin-1.
  await writeWholeFile(out, extension === ".csv" ? `\uFEFF${csvOf(template)}` : await workbookOf(template));
  const { source } = template;
  const misplaced = !isPlace && places.some((place) => basename(place) === basename(out));
  return {
    isRead: isPlace,
    ...(misplaced && { expectedIn: reference }),
    ...(isPlace && source !== undefined && !isSamePath(source, out) && { replaced: source }),
  };
}

/** Compares paths with links resolved. */
function isSamePath(one: string, other: string): boolean {
  return resolveLinks(one) === resolveLinks(other);
}

async function makeTemplate(
  settings: Settings,
  signal: AbortSignal,
  name: AttributeFileName,
  path: string,
): Promise<Template> {
  const form = attributeFiles[name];
  const file = await readFileOrWorkbook(path, checkColumns(form));
  const known = await withPublished(settings, signal, (mart) => mart.all(knownThings[form.subject]));
  const things = known.map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [column, String(value ?? "")])),
  );
  const keys = keyColumns(form);
  const keyOf = (row: Values) =>
    keys.map((column) => (column === "kind" ? row[column] : Number(row[column]))).join(" ");
  const given = new Map<string, Values[]>();
  for (const { values } of file.rows) {
    const key = keyOf(values);
    given.set(key, [...(given.get(key) ?? []), values]);
  }
  const published = new Set(things.map(keyOf));
  const own = listAttributes(form, file.columns);
  const [first = {}] = things;
  return {
    source: file.rows.length > 0 ? file.path : undefined,
    columns: [
      ...new Set([
        ...keys,
        ...Object.keys(first),
        ...file.columns.filter((column) => remarks.includes(column)),
      ]),
      ...(own.length > 0 ? own : examples[form.subject]),
      ...dateColumns,
    ],
    rows: [
      ...things.flatMap((thing) =>
        (given.get(keyOf(thing)) ?? [{}]).map((values) => ({ ...values, ...thing })),
      ),
      // Keeps entries for ids that are not published.
      ...file.rows.map(({ values }) => values).filter((values) => !published.has(keyOf(values))),
    ],
  };
}

function csvOf({ columns, rows }: Template): string {
  const lineOf = (row: Values) => columns.map((column) => csvField(column, row[column] ?? "")).join();
  return [columns.join(), ...rows.map(lineOf), ""].join("\n");
}

function csvField(column: string, text: string): string {
  if (text === "") return "";
  // Names come from the service, and a spreadsheet would run some as a formula. Other texts come from the user.
  if (remarks.includes(column)) return formatTextField(text, (shown) => shown);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

async function workbookOf({ columns, rows }: Template): Promise<Uint8Array> {
  const { writeXlsx } = await import("hucre/xlsx");
  return await writeXlsx({
    sheets: [
      {
        name: "Attributes",
        freezePane: { rows: 1 },
        columns: columns.map((column) => ({ header: column, width: column.endsWith("_name") ? 30 : 14 })),
        rows: [[...columns], ...rows.map((row) => columns.map((column) => cellOf(row[column] ?? "")))],
      },
    ],
  });
}

/** Numbers stay numbers, unless that would change them, as in `007`. */
function cellOf(text: string): string | number | null {
  if (text === "") return null;
  const number = Number(text);
  return text.length < 16 && Number.isFinite(number) && String(number) === text ? number : text;
}

function templateFormatError(out = ""): VenueError {
  return new VenueError(
    "TEMPLATE_FORMAT",
    "usage",
    `--out (${out}) is neither a .csv nor an .xlsx file. End the name in one of these.`,
  );
}

/** The file may be a template that somebody has filled in. */
function templateExistsError(out: string, path: string): VenueError {
  return new VenueError(
    "TEMPLATE_EXISTS",
    "usage",
    `${out} exists, and the template would have only the values of ${path}. Choose another --out, or remove that file.`,
  );
}

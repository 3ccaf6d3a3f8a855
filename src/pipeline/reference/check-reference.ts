import { DataFolder } from "../../config/data-folder.ts";
import type { Settings } from "../../config/settings.ts";
import { DuckDb } from "../../engines/duckdb/duckdb.ts";
import type { NamedThing } from "../../load/reference/attribute-file.ts";
import { type CheckedReference, checkReference } from "../../load/reference/check-reference.ts";
import { ReferenceFileError } from "../../load/reference/errors.ts";
import type { LineWarning, Separator } from "../../load/reference/reference-file.ts";
import { listUnreadFiles, type UnreadFile } from "../../load/reference/unread-files.ts";
import { openPublished } from "../../report/published/open-published.ts";
import type { Logger } from "../../util/logger.ts";
import { countOf } from "../../util/text/words.ts";
import { VenueError } from "../../util/venue-error.ts";
import { withMart } from "../../workspace/warehouse.ts";

interface ReferenceFinding {
  /** E.g. `opening_hours.csv`. */
  name: string;
  path: string;
  /** Detected separator; `null` if the file is unreadable, or a workbook. */
  separator: Separator | null;
  /** Lines with content; 0 if any is invalid. */
  lines: number;
  mistakes: FileLine[];
  /** Lines that are applied, but look wrong. */
  warnings: FileLine[];
}

interface FileLine {
  /** Absent if the whole file is unusable. */
  line_number?: number;
  message: string;
}

export interface ReferenceFindings {
  files: ReferenceFinding[];
  /** Tables in the folder under names that builds do not read. */
  unread: UnreadFile[];
}

/** Checks the reference files completely and changes nothing. A missing file is treated as empty. */
export async function checkReferenceFiles(settings: Settings): Promise<ReferenceFindings> {
  const folder = new DataFolder(settings.get("VENUE_DATA_DIR"));
  const database = await DuckDb.open();
  try {
    const found = await checkReference(database, folder.reference);
    const unknown = await findUnpublished(found, folder.published);
    const toLine = ({ lineNumber, message }: LineWarning): FileLine => ({ line_number: lineNumber, message });
    const files = found.map((file) => ({
      name: file.name,
      path: file.path,
      separator: file.separator ?? null,
      lines: file.lines,
      mistakes: file.mistakes.map((mistake) =>
        mistake instanceof ReferenceFileError ? toLine(mistake) : { message: mistake.message },
      ),
      warnings: [
        ...file.warnings,
        ...(unknown.get(file) ?? []).map(({ lineNumber, subject, text }) => ({
          lineNumber,
          message: `${file.path}, line ${lineNumber}: ${subject} ${text} is not in the published data. Check the id.`,
        })),
      ]
        .sort((a, b) => a.lineNumber - b.lineNumber)
        .map(toLine),
    }));
    return { files, unread: listUnreadFiles(folder.reference) };
  } finally {
    database.close();
  }
}

/** Before a build, warns of possibly misspelled values, with one message per file. */
export function warnOfSpellings(files: readonly CheckedReference[], logger: Logger): void {
  for (const { name, warnings } of files) {
    const [first] = warnings;
    if (!first) continue;
    logger.warn(
      `${name}: ${countOf(warnings.length, "value")} may be misspelled (line ${first.lineNumber}). Run \`venue reference check\`.`,
    );
  }
}

/**
 * Warns of ids that are not in the mart, with one message per file. Only a build can check this, because the
 * published version lacks the entities that the build adds.
 */
export async function warnOfUnknown(
  files: readonly CheckedReference[],
  warehouse: DuckDb,
  logger: Logger,
): Promise<void> {
  const unknown = await withMart(warehouse, (mart) => findUnknown(files, mart));
  for (const [{ name }, [first, ...others]] of unknown) {
    if (!first) continue;
    const { subject, lineNumber, text } = first;
    const names = others.length === 0 ? "line has an unknown id" : "lines have unknown ids";
    logger.warn(
      `${name}: ${others.length + 1} ${names} (line ${lineNumber}: ${subject} ${text}). Run \`venue reference check\`.`,
    );
  }
}

const keysOf: Readonly<Record<NamedThing["subject"], string>> = {
  zone: "select zone_id as key from dim_zone",
  group: "select group_id as key from dim_group",
  location: "select location_id as key from dim_location",
  campaign: "select campaign_key as key from dim_campaign",
  item: "select item_key as key from dim_item",
};

/** Finds lines about entities that are not in the published version; none if nothing readable is published. */
async function findUnpublished(
  files: readonly CheckedReference[],
  publishedFolder: string,
): Promise<Map<CheckedReference, NamedThing[]>> {
  const mart = await openPublished(publishedFolder).catch((error: unknown) => {
    // The build itself reports or repairs such errors.
    if (error instanceof VenueError) return undefined;
    throw error;
  });
  if (!mart) return new Map();
  try {
    return await findUnknown(files, mart);
  } finally {
    mart.close();
  }
}

/** @param mart a connection in which tables need no schema name */
async function findUnknown(
  files: readonly CheckedReference[],
  mart: { all<Row>(sql: string): Promise<Row[]> },
): Promise<Map<CheckedReference, NamedThing[]>> {
  const subjects = new Set(files.flatMap(({ named }) => named.map(({ subject }) => subject)));
  const known = new Map<NamedThing["subject"], ReadonlySet<number>>();
  for (const subject of subjects) {
    const rows = await mart.all<{ key: number }>(keysOf[subject]);
    known.set(subject, new Set(rows.map(({ key }) => key)));
  }
  return new Map(
    files.map((file) => [file, file.named.filter(({ subject, key }) => !known.get(subject)?.has(key))]),
  );
}

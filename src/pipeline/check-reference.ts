import { DataFolder } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import { DuckDb } from "../engines/duckdb/duckdb.ts";
import type { FileSubject, NamedThing } from "../load/reference/attribute-file.ts";
import { type CheckedReference, findMistakes } from "../load/reference/check-reference.ts";
import type { LineWarning, Separator } from "../load/reference/reference-file.ts";
import { openPublished } from "../report/published/open-published.ts";
import { countOf } from "../util/text/words.ts";
import { VenueError } from "../util/venue-error.ts";
import type { Workspace } from "../workspace/workspace.ts";

export interface ReferenceFinding {
  /** E.g. `opening_hours.csv`. */
  name: string;
  path: string;
  /** Detected separator; `null` if the file is unreadable, or a workbook. */
  separator: Separator | null;
  /** Lines with content; 0 if any is invalid. */
  lines: number;
  mistakes: FileLine[];
  /** Lines that count, but look wrong. */
  warnings: FileLine[];
}

interface FileLine {
  line_number: number;
  message: string;
}

/** Checks the reference files completely and changes nothing. A missing file counts as empty. */
export async function checkReferenceFiles(settings: Settings): Promise<ReferenceFinding[]> {
  const folder = new DataFolder(settings.get("VENUE_DATA_DIR"));
  const database = await DuckDb.open();
  try {
    const found = await findMistakes(database, folder.reference);
    const unknown = await findUnknown(found, folder.published);
    const toLine = ({ lineNumber, message }: LineWarning): FileLine => ({ line_number: lineNumber, message });
    return found.map((file) => ({
      name: file.name,
      path: file.path,
      separator: file.separator ?? null,
      lines: file.lines,
      mistakes: file.mistakes.map(toLine),
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
  } finally {
    database.close();
  }
}

/** Warns of lines that count but look wrong, with one message per file and reason. */
export async function warnOfReference(
  files: readonly CheckedReference[],
  { folder, logger }: Pick<Workspace, "folder" | "logger">,
): Promise<void> {
  const unknown = await findUnknown(files, folder.published);
  for (const file of files) {
    const [first, ...others] = unknown.get(file) ?? [];
    if (first) {
      const { subject, lineNumber, text } = first;
      const names =
        others.length === 0 ? `line names an unknown ${subject}` : `lines name unknown ${subject}s`;
      logger.warn(
        `${file.name}: ${others.length + 1} ${names} (line ${lineNumber}: ${text}). Run \`venue reference check\`.`,
      );
    }
    const [spelling] = file.warnings;
    if (spelling) {
      const differ = file.warnings.length === 1 ? "differs" : "differ";
      logger.warn(
        `${file.name}: ${countOf(file.warnings.length, "value")} ${differ} from another only in case or spaces (line ${spelling.lineNumber}). Run \`venue reference check\`.`,
      );
    }
  }
}

const keysOf: Readonly<Record<FileSubject, string>> = {
  zone: "select zone_id as key from dim_zone",
  location: "select location_id as key from dim_location",
  campaign: "select campaign_key as key from dim_campaign",
  item: "select item_key as key from dim_item",
};

/** Finds lines whose thing is not in the published version; none if nothing readable is published. */
async function findUnknown(
  files: readonly CheckedReference[],
  publishedFolder: string,
): Promise<Map<CheckedReference, NamedThing[]>> {
  const subjects = new Set(files.flatMap(({ named }) => named.map(({ subject }) => subject)));
  const known = new Map<FileSubject, ReadonlySet<number>>();
  if (subjects.size > 0) {
    const mart = await openPublished(publishedFolder).catch((error: unknown) => {
      // The build itself reports or repairs what is wrong there.
      if (error instanceof VenueError) return undefined;
      throw error;
    });
    if (!mart) return new Map();
    try {
      for (const subject of subjects) {
        const rows = await mart.all<{ key: number }>(keysOf[subject]);
        known.set(subject, new Set(rows.map(({ key }) => key)));
      }
    } finally {
      mart.close();
    }
  }
  return new Map(
    files.map((file) => [file, file.named.filter(({ subject, key }) => !known.get(subject)?.has(key))]),
  );
}

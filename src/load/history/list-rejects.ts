import { DataFolder } from "../../config/data-folder.ts";
import type { Settings } from "../../config/settings.ts";
import { readSql } from "../../util/files/package-files.ts";
import { VenueError } from "../../util/venue-error.ts";
import { findWarehouse } from "../../workspace/warehouse.ts";

export interface RejectedLine {
  load_id: number;
  /** Source of the load, e.g. `music export of group 58429`. */
  source: string;
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  loaded_at: string;
  /** Line number in the landing, from 1. */
  line_number: number;
  reason: string;
  /** First 1,000 characters of the line. */
  line: string;
}

export interface RejectSelection {
  load?: number;
  reason?: string;
  limit: number;
}

/**
 * Lists rejected lines, newest load first. `total` ignores the limit. Has no side effects.
 * @throws {VenueError} `NO_SUCH_LOAD`
 */
export async function listRejects(
  settings: Settings,
  { load, reason, limit }: RejectSelection,
): Promise<{ rejects: RejectedLine[]; total: number }> {
  const { root, warehouseFile: path } = new DataFolder(settings.get("VENUE_DATA_DIR"));
  const warehouse = await findWarehouse({ path, memoryLimit: settings.get("VENUE_MEMORY_LIMIT") });
  try {
    if (load !== undefined && !(await warehouse?.find("select 1 from core.load where load_id = ?", [load])))
      throw noSuchLoadError(load, root);
    if (!warehouse) return { rejects: [], total: 0 };
    const parameters = [load ?? null, reason ?? null, limit];
    const rows = await warehouse.all<RejectedLine & { total: number }>(
      readSql("load/history/list_rejects.sql"),
      parameters,
    );
    return { rejects: rows.map(({ total: _, ...reject }) => reject), total: rows[0]?.total ?? 0 };
  } finally {
    warehouse?.close();
  }
}

/**
 * Thrown for a load that does not exist, because an empty list would suggest that none of its lines was
 * rejected.
 */
function noSuchLoadError(load: number, folder: string): VenueError {
  return new VenueError(
    "NO_SUCH_LOAD",
    "usage",
    `${folder} has no load ${load}. See \`venue report loads\`, or omit --load.`,
  );
}

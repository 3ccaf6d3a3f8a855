import { readSql } from "../engines/sql-file.ts";
import { type Workspace, withWarehouse } from "./workspace.ts";

/** A line that could not be taken. */
export interface RejectedLine {
  load_id: number;
  /** What was loaded, e.g. `music export of group 58429`. */
  source: string;
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  loaded_at: string;
  /** Of the landing, from 1. */
  line_number: number;
  reason: string;
  /** Its first 1,000 characters. */
  line: string;
}

export interface RejectSelection {
  load?: number;
  reason?: string;
  limit: number;
}

/** Rejected lines, newest load first, and how many there are without the limit. */
export async function listRejects(
  workspace: Workspace,
  { load, reason, limit }: RejectSelection,
): Promise<{ rejects: RejectedLine[]; total: number }> {
  return await withWarehouse(workspace, async (warehouse) => {
    const rows = await warehouse.all<RejectedLine & { total: number }>(readSql("load/list_rejects.sql"), [
      load ?? null,
      reason ?? null,
      limit,
    ]);
    const rejects = rows.map(({ total: _, ...reject }) => reject);
    return { rejects, total: rows[0]?.total ?? 0 };
  });
}

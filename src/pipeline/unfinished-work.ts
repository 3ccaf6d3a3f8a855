import { existsSync } from "node:fs";
import { DataFolder } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import type { UnfinishedWork } from "../report/published/unfinished-work.ts";
import type { Run } from "../state/runs.ts";
import type { SyncResult } from "./sync-result.ts";

/** What a sync left undone. */
export function unfinishedOf({
  failures,
  incomplete,
  isStopped,
}: Pick<SyncResult, "failures" | "incomplete" | "isStopped">): UnfinishedWork[] {
  return [
    ...failures.map(({ source, error }) => ({ subject: source, value: "failed", note: error.message })),
    ...incomplete.map(({ source, why }) => ({ subject: source, value: "incomplete", note: why })),
    ...(isStopped ? [stopped] : []),
  ];
}

const stopped: UnfinishedWork = {
  subject: "the last sync",
  value: "stopped",
  note: "its time was over; the next one goes on",
};

/** What the last run that collected left undone, by `state.db`; nothing where none is recorded. */
export async function findUnfinished(settings: Settings): Promise<UnfinishedWork[]> {
  const { stateFile } = new DataFolder(settings.get("VENUE_DATA_DIR"));
  if (!existsSync(stateFile)) return [];
  // Few reports need it, and SQLite takes longer to load than they to answer.
  const { openDataState } = await import("../state/data-state.ts");
  const state = openDataState(stateFile);
  try {
    const collected = state.runs.list(100).find(({ command }) => /^(sync|run)\b/.test(command));
    return collected ? unfinishedOfRun(collected) : [];
  } finally {
    state.close();
  }
}

function unfinishedOfRun({ run_id, command, status, note, summary }: Run): UnfinishedWork[] {
  const subject = `run ${run_id} (${command})`;
  if (status === "running") return [{ subject, value: "running", note: "it has not ended yet" }];
  if (summary === null) return [{ subject, value: status, note: note ?? "" }];
  const { sync, ...own } = JSON.parse(summary) as { sync?: SyncSummary } & SyncSummary;
  const { failures = [], incomplete = [], is_stopped = false } = sync ?? own;
  return [
    ...failures.map(({ source, error }) => ({ subject: source, value: "failed", note: error })),
    ...incomplete.map(({ source, why }) => ({ subject: source, value: "incomplete", note: why })),
    ...(is_stopped ? [stopped] : []),
  ];
}

/** As `venue sync --json` has it. */
interface SyncSummary {
  failures?: { source: string; error: string }[];
  incomplete?: { source: string; why: string }[];
  is_stopped?: boolean;
}

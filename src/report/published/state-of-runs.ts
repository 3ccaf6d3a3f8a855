import { existsSync } from "node:fs";
import type { Run, Runs, UnfinishedWork } from "../../state/data/runs.ts";

/** What the last run that collected left undone. */
export async function findUnfinished(stateFile: string): Promise<UnfinishedWork[]> {
  return await readRuns(stateFile, (runs) => runs.findUnfinished());
}

/** The last runs, newest first. Their notes, which pages show, have names of files alone: whoever reads pages need not know where they lie. */
export async function listLastRuns(stateFile: string, limit: number): Promise<Run[]> {
  const listed = await readRuns(stateFile, (runs) => runs.list(limit));
  return listed.map((run) => ({ ...run, note: run.note && withoutFolders(run.note) }));
}

/** An address has two slashes, and stays. */
function withoutFolders(text: string): string {
  return text.replace(/ in \/.*? \((?=\d)/g, " (").replace(/(?<![\w.:/])\/[^\s"']*\//g, "");
}

async function readRuns<Row>(stateFile: string, read: (runs: Runs) => Row[]): Promise<Row[]> {
  if (!existsSync(stateFile)) return [];
  // Few reports need it, and SQLite takes longer to load than they to answer.
  const { openDataState } = await import("../../state/data/data-state.ts");
  const state = openDataState(stateFile);
  try {
    return read(state.runs);
  } finally {
    state.close();
  }
}

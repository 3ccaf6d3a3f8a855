import { statSync } from "node:fs";
import { resolve } from "node:path";
import { applyReference } from "../load/apply-reference.ts";
import { type LoadResult, loadHistory } from "../load/load-history.ts";
import { createLandingId } from "../state/landings.ts";
import type { Kind } from "../util/kind.ts";
import { VenueError } from "../util/venue-error.ts";
import { type Workspace, withWarehouse } from "./workspace.ts";

export interface LoadFilesOptions {
  /** JSON Lines, plain or `.gz`; relative paths are taken from the working folder. */
  files: readonly string[];
  kind: Kind;
}

/** Loads history files that came another way, each as a load of its own. */
export async function loadFiles(
  workspace: Workspace,
  { files, kind }: LoadFilesOptions,
): Promise<LoadResult[]> {
  const { folder, clock, signal } = workspace;
  const paths = files.map((file) => resolve(file));
  for (const path of paths) assertFile(path);
  return await withWarehouse(workspace, async (warehouse) => {
    await applyReference(warehouse, folder.reference);
    const results: LoadResult[] = [];
    for (const path of paths) {
      const landing = {
        landingId: createLandingId(),
        source: "file" as const,
        kind,
        requestedAt: clock.now(),
        path,
        isComplete: false,
      };
      results.push(await loadHistory(warehouse, landing, { loadedAt: new Date(), signal }));
    }
    return results;
  });
}

function assertFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new NoSuchFileError(path, found ? "is not a file" : "does not exist");
}

/** What should be loaded is no file. */
class NoSuchFileError extends VenueError {
  override readonly name = "NoSuchFileError";
  readonly code = "NO_SUCH_FILE";
  readonly category = "usage";

  constructor(path: string, reason: string) {
    super(`${path} ${reason}. Name files of JSON Lines, plain or .gz; nothing was loaded.`);
  }
}

import { DataFolder } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import { openPublished } from "../report/published/open-published.ts";
import type { PublishedMart } from "../report/published/published-mart.ts";
import type { UnfinishedWork } from "../report/published/unfinished-work.ts";
import { findUnfinished } from "./unfinished-work.ts";

/**
 * Opens what is published for `body`: one version, whatever is published meanwhile. No lock is needed.
 * @param unfinished what the last run left undone; by default as `state.db` has it
 */
export async function withPublished<Result>(
  settings: Settings,
  signal: AbortSignal,
  body: (mart: PublishedMart) => Promise<Result>,
  unfinished?: readonly UnfinishedWork[],
): Promise<Result> {
  const threads = settings.find("VENUE_THREADS");
  const folder = new DataFolder(settings.get("VENUE_DATA_DIR"));
  const mart = await openPublished(folder.published, {
    memoryLimit: settings.get("VENUE_MEMORY_LIMIT"),
    tempDir: folder.temp,
    ...(threads === undefined ? {} : { threads }),
    signal,
  });
  try {
    return await body({
      ...mart,
      findUnfinished: async () => unfinished ?? (await findUnfinished(settings)),
    });
  } finally {
    mart.close();
  }
}

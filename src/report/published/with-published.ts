import { DataFolder } from "../../config/data-folder.ts";
import type { Settings } from "../../config/settings.ts";
import type { UnfinishedWork } from "../../state/data/runs.ts";
import { openPublished } from "./open-published.ts";
import type { PublishedMart } from "./published-mart.ts";
import { findMessages, findUnfinished } from "./run-state.ts";

export interface WithPublishedOptions {
  /** Unfinished work of the last run. @default as recorded in `state.db` */
  unfinished?: readonly UnfinishedWork[] | undefined;
  /** A retained version, e.g. `v000007`. @default the current one */
  asOf?: string | undefined;
}

/** Opens a published version for `body`. Later publishes do not affect it, so no lock is needed. */
export async function withPublished<Result>(
  settings: Settings,
  signal: AbortSignal,
  body: (mart: PublishedMart) => Promise<Result>,
  { unfinished, asOf }: WithPublishedOptions = {},
): Promise<Result> {
  const threads = settings.find("VENUE_THREADS");
  const folder = new DataFolder(settings.get("VENUE_DATA_DIR"));
  const mart = await openPublished(folder.published, {
    memoryLimit: settings.get("VENUE_MEMORY_LIMIT"),
    tempDir: folder.temp,
    ...(threads === undefined ? {} : { threads }),
    signal,
    asOf,
  });
  try {
    return await body({
      ...mart,
      findUnfinished: async () => unfinished ?? (await findUnfinished(folder.stateFile)),
      listUndelivered: async (now) => (await findMessages(folder.stateFile, now)).undelivered,
    });
  } finally {
    mart.close();
  }
}

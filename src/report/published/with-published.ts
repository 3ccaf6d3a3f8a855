import { DataFolder } from "../../config/data-folder.ts";
import type { Settings } from "../../config/settings.ts";
import type { UnfinishedWork } from "../../state/data/runs.ts";
import { openPublished } from "./open-published.ts";
import type { PublishedMart } from "./published-mart.ts";
import { findUnfinished } from "./state-of-runs.ts";

export interface WithPublishedOptions {
  /** What the last run left undone. @default as `state.db` has it */
  unfinished?: readonly UnfinishedWork[] | undefined;
  /** A version that is still there, e.g. `v000007`. @default the one that is current now */
  asOf?: string | undefined;
}

/** Opens what is published for `body`: one version, whatever is published meanwhile. No lock is needed. */
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
    });
  } finally {
    mart.close();
  }
}

import { onTestFinished } from "vitest";
import { DataFolder } from "../../src/config/data-folder.ts";
import { Settings } from "../../src/config/settings.ts";
import { planSync, type SyncPlan } from "../../src/extract/plan/plan-sync.ts";
import { copyExampleReference } from "../../src/load/reference/apply-reference.ts";
import type { SyncOptions } from "../../src/pipeline/collect.ts";
import { sync } from "../../src/pipeline/sync.ts";
import type { SyncResult } from "../../src/pipeline/sync-result.ts";
import { openDataState } from "../../src/state/data/data-state.ts";
import { createClock } from "../../src/util/clock.ts";
import { silentLogger } from "../../src/util/logger.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import type { Setup } from "../support/service.ts";

/** Parts of a setup that a sync in this process needs. */
export interface SyncSetup extends Pick<Setup, "environment" | "workingFolder" | "dataFolder"> {
  /** Only the service's time is used. */
  emulator: Pick<Setup["emulator"], "now">;
}

export function openWorkspace({ environment, workingFolder, dataFolder, emulator }: SyncSetup): Workspace {
  const folder = new DataFolder(dataFolder).prepare();
  copyExampleReference(folder);
  const state = openDataState(folder.stateFile);
  onTestFinished(() => state.close());
  return {
    settings: new Settings({ flags: {}, environment, workingFolder }),
    folder,
    state,
    clock: createClock(emulator.now()),
    logger: silentLogger,
    progress: { show: () => {}, clear: () => {} },
    signal: new AbortController().signal,
  };
}

/** Runs one sync in this process, by default of all topics. */
export async function syncHere(setup: SyncSetup, options: Partial<SyncOptions> = {}): Promise<SyncResult> {
  const topics = ["history", "devices", "campaigns", "status"] as const;
  return await sync(openWorkspace(setup), { topics, keepLandingDays: 7, ...options });
}

/** Plans a sync from the state that earlier ones left. */
export function planHere(workspace: Workspace, options: SyncOptions): SyncPlan {
  return planSync({ ...workspace, now: workspace.clock.now() }, options);
}

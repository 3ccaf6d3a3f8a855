import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { DataFolder } from "../../../src/config/data-folder.ts";
import { createLandingId, type Landing, type LandingSource } from "../../../src/state/data/landings.ts";
import type { Workspace } from "../../../src/workspace/workspace.ts";
import { openWorkspace } from "../../pipeline/sync-workspace.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { musicLine } from "../load-fixture.ts";

export const service = "http://127.0.0.1:9/";

/** A separate data folder, opened in this process, for landings. */
export class Landed {
  readonly workspace: Workspace;

  constructor() {
    const workingFolder = createTempFolder();
    this.workspace = openWorkspace({
      workingFolder,
      dataFolder: new DataFolder(`${workingFolder}/data`).root,
      environment: { VENUE_BASE_URL: service, VENUE_HOME: `${workingFolder}/home` },
      emulator: { now: () => new Date("2026-06-01T06:00:00Z") },
    });
  }

  /** A landing that waits to be loaded: with these lines, by default with a play of its own. */
  land(
    source: LandingSource,
    { lines, ...other }: { lines?: readonly string[]; path?: string; isComplete?: boolean } = {},
  ): Landing {
    const { folder, state } = this.workspace;
    const landingId = createLandingId();
    const path = `landing/${source.source}-${landingId}.jsonl`;
    const zoneId = "zoneId" in source ? source.zoneId : 7;
    const text = (lines ?? [musicLine({ zone_id: zoneId })]).map((line) => `${line}\n`).join("");
    writeFileSync(folder.resolve(path), text);
    const requestedAt = new Date("2026-06-01T06:00:00Z");
    const landing = {
      ...source,
      landingId,
      path,
      requestedAt,
      bytes: text.length,
      isComplete: true,
      ...other,
    };
    state.landings.add(this.collectionId, landing);
    return landing;
  }

  get collectionId(): number {
    const now = new Date("2026-06-01T06:00:00Z");
    return this.workspace.state.collections.open({ service, scope: "history" }, now);
  }

  /** The landing file's bytes; `undefined` if it is missing. */
  read(path: string): Buffer | undefined {
    const file = this.workspace.folder.resolve(path);
    return existsSync(file) ? readFileSync(file) : undefined;
  }
}

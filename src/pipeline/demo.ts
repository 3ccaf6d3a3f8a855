import { existsSync } from "node:fs";
import { join } from "node:path";
import { DataFolder } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import { type Emulator, startEmulator } from "../emulator/emulator.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { sync } from "./sync.ts";

/** Fixed, so that the demo gives the same figures whenever it is run. */
const demoNow = new Date("2026-11-21T12:00:00Z");
/** A device is known between the first and the last look at it: a first demo looks every so often, from so long before. */
const lookEveryHours = 6;
const firstLookHours = 99;
const grantedRate = 20;
/** Emulator and client share one process: what was sent in time may be seen late. */
const usedRate = 18;

interface DemoOptions {
  /** Those of the command line; the demo has a data folder of its own below theirs. */
  settings: Settings;
  /** Days that a loaded landing is kept, at least. */
  keepLandingDays: number;
  /** Opens what the settings name; closed by the demo. */
  openWorkspace: (settings: Settings) => Promise<Workspace>;
}

/** What a demo runs on, for as long as its emulator does. */
interface Demo {
  settings: Settings;
  folder: string;
  now: Date;
}

/** Runs `body` on the built-in emulator, whose devices were listed in the days before. */
export async function demo(options: DemoOptions, body: (demo: Demo) => Promise<void>): Promise<void> {
  const emulator = await startEmulator({
    now: demoNow,
    ratePerSecond: grantedRate,
    // Its days pass within seconds.
    listingMaxAgeSeconds: 0,
  });
  try {
    const folder = join(options.settings.get("VENUE_DATA_DIR"), "demo");
    const settings = options.settings.with({
      VENUE_BASE_URL: emulator.baseUrl,
      VENUE_STATUS_URL: emulator.statusUrl,
      VENUE_CLIENT_ID: emulator.clientId,
      VENUE_CLIENT_SECRET: emulator.clientSecret,
      VENUE_GROUP_IDS: emulator.world.groupIds.join(","),
      VENUE_RATE_PER_SECOND: String(usedRate),
      VENUE_HOME: join(folder, "home"),
      VENUE_DATA_DIR: folder,
      VENUE_NOW: demoNow.toISOString(),
      VENUE_SERVICE_TIME_ZONE: "UTC",
      VENUE_ASSET_DURATION_UNIT: "seconds",
      VENUE_DOWN_STATUS: "offline",
      VENUE_SETTLE_DAYS: "3",
      VENUE_SLOT_MINUTES: "60",
      // What it makes lies on this machine, also where the settings name a cluster.
      VENUE_ENGINE: "duckdb",
    });
    await lookAtDevices({ ...options, settings }, emulator);
    await body({ settings, folder, now: demoNow });
  } finally {
    await emulator.close();
  }
}

/** Lists devices as they were in the days before, unless an earlier demo has done so. */
async function lookAtDevices(
  { settings, keepLandingDays, openWorkspace }: DemoOptions,
  emulator: Emulator,
): Promise<void> {
  if (existsSync(join(new DataFolder(settings.get("VENUE_DATA_DIR")).published, "current"))) return;
  for (let hours = firstLookHours; hours > 0; hours -= lookEveryHours) {
    const now = new Date(demoNow.getTime() - hours * 3_600_000);
    emulator.setNow(now);
    const workspace = await openWorkspace(settings.with({ VENUE_NOW: now.toISOString() }));
    try {
      await sync(workspace, { topics: ["devices"], keepLandingDays });
    } finally {
      workspace.progress.clear();
      workspace.state.close();
    }
  }
  emulator.setNow(demoNow);
}

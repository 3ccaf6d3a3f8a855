import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { DataFolder } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import { type Emulator, startEmulator } from "../emulator/emulator.ts";
import { packageRoot } from "../util/files/package-files.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { provideDemoReference } from "./demo-reference.ts";
import { sync } from "./sync.ts";

/** Fixed, so that every demo produces the same figures. */
const demoNow = new Date("2026-11-21T12:00:00Z");
/**
 * Interval of a new demo's device listings, and the age of the first one. States are known in between.
 */
const deviceCheckHours = 6;
const firstDeviceCheckHours = 99;
const grantedRate = 20;
/** Is below the granted rate, because the emulator shares a process with the client and may see requests late. */
const usedRate = 18;

interface DemoOptions {
  /** Settings from the command line. The demo uses a subfolder of their data folder. */
  settings: Settings;
  /** Minimum days to keep a loaded landing. */
  keepLandingDays: number;
  /** Opens a workspace for settings; the demo closes it. */
  openWorkspace: (settings: Settings) => Promise<Workspace>;
}

interface Demo {
  settings: Settings;
  folder: string;
  now: Date;
}

/** Runs `body` with the built-in emulator, after listing its devices at times on the previous days. */
export async function demo(options: DemoOptions, body: (demo: Demo) => Promise<void>): Promise<void> {
  const emulator = await startEmulator({
    now: demoNow,
    ratePerSecond: grantedRate,
    // The emulator's days pass within seconds, so listings must not be cached.
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
      // Demo results stay on this machine, even if the settings name a cluster.
      VENUE_ENGINE: "duckdb",
    });
    provideDemoReference(new DataFolder(folder).prepare(), emulator.world);
    provideCustomFiles(new DataFolder(folder));
    await checkDemoDevices({ ...options, settings }, emulator);
    await body({ settings, folder, now: demoNow });
  } finally {
    await emulator.close();
  }
}

/** Copies one example report, and the check, into a data folder without custom files. */
function provideCustomFiles({ own }: DataFolder): void {
  if (existsSync(own)) return;
  const examples = join(packageRoot, "data", "examples", "own");
  const filter = (path: string) => !path.endsWith(".sql") || /repeated-songs|outside-hours/.test(path);
  cpSync(examples, own, { recursive: true, filter });
}

/** Lists devices at times on the previous days, unless an earlier demo did. */
async function checkDemoDevices(
  { settings, keepLandingDays, openWorkspace }: DemoOptions,
  emulator: Emulator,
): Promise<void> {
  if (existsSync(join(new DataFolder(settings.get("VENUE_DATA_DIR")).published, "current"))) return;
  for (let hours = firstDeviceCheckHours; hours > 0; hours -= deviceCheckHours) {
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

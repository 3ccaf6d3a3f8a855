import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/emulator/emulator.ts";
import type { World } from "../../src/emulator/world/world.ts";
import { kinds } from "../../src/util/kind.ts";
import { fewThreads } from "./long-suite.ts";
import type { RunOptions } from "./run-venue.ts";
import { runVenue } from "./run-venue.ts";
import { createTempFolder } from "./temp-folder.ts";

/** An emulated service, and a user's machine set up for it. */
export interface Setup extends RunOptions {
  emulator: Emulator;
  dataFolder: string;
}

/** For one test, fast by default: a high rate limit, and immediate exports. */
export async function setUp(options: EmulatorOptions = {}): Promise<Setup> {
  const setup = await setUpIn(createTempFolder(), options);
  onTestFinished(() => setup.emulator.close());
  return setup;
}

/** `setUp` in a given folder; the caller closes the emulator. */
export async function setUpIn(workingFolder: string, options: EmulatorOptions = {}): Promise<Setup> {
  const ratePerSecond = options.ratePerSecond ?? 500;
  // Tests move the world's clock by days within a second, so responses must not be cached.
  const emulator = await startEmulator({
    exportSeconds: 0,
    listingMaxAgeSeconds: 0,
    ...options,
    ratePerSecond,
  });
  return {
    emulator,
    workingFolder,
    dataFolder: join(workingFolder, "data"),
    environment: {
      VENUE_BASE_URL: emulator.baseUrl,
      VENUE_STATUS_URL: emulator.statusUrl,
      VENUE_CLIENT_ID: emulator.clientId,
      VENUE_CLIENT_SECRET: emulator.clientSecret,
      VENUE_GROUP_IDS: emulator.world.groupIds.join(","),
      VENUE_RATE_PER_SECOND: String(ratePerSecond),
      VENUE_HOME: join(workingFolder, "home"),
      VENUE_NOW: emulator.now().toISOString(),
      ...fewThreads,
    },
  };
}

export function setNow(setup: Setup, now: Date): void {
  setup.emulator.setNow(now);
  setup.environment.VENUE_NOW = now.toISOString();
}

/** Figures per kind, zone and local date: `plays/seconds`. */
export type Figures = Record<string, string>;

export async function publishedFigures(setup: Setup): Promise<Figures> {
  const sql = `select kind, zone_id, date, sum(plays) as plays, sum(play_seconds) as seconds
    from fact_play_day group by kind, zone_id, date`;
  const { stdout, stderr, code } = await runVenue(["query", sql, "--format", "json"], setup);
  if (code !== 0) throw new Error(stderr);
  const rows: { kind: string; zone_id: number; date: string; plays: number; seconds: number }[] =
    JSON.parse(stdout);
  return Object.fromEntries(
    rows.map(({ kind, zone_id, date, plays, seconds }) => [
      `${kind} ${zone_id} ${date}`,
      `${plays}/${seconds}`,
    ]),
  );
}

/** True figures of the world, counted play by play. */
export function trueFigures(world: World, visibleAt: Date): Figures {
  const counted = new Map<string, { plays: number; seconds: number }>();
  for (const kind of kinds) {
    for (const { zoneId, localDate, durationSecs } of world.plays({ kind, visibleAt })) {
      const key = `${kind} ${zoneId} ${localDate}`;
      const figures = counted.get(key) ?? { plays: 0, seconds: 0 };
      figures.plays += 1;
      figures.seconds += durationSecs;
      counted.set(key, figures);
    }
  }
  return Object.fromEntries([...counted].map(([key, { plays, seconds }]) => [key, `${plays}/${seconds}`]));
}

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { CampaignEdit, DeviceSwap } from "../../src/emulator/options.ts";
import { Random } from "../../src/emulator/world/random.ts";
import { describeFaults, singleFaults } from "../faults/fault-strengths.ts";
import { collectGarbage } from "../support/collect-garbage.ts";
import { earlierWorld, placeEarlierData } from "../support/earlier-version.ts";
import { publishedListings, trueListings } from "../support/listings.ts";
import { isSoak } from "../support/long-suite.ts";
import { canWatchProcesses, watchPeak } from "../support/peak-of-process.ts";
import { runVenue, startVenue } from "../support/run-venue.ts";
import { publishedFigures, type Setup, setNow, setUp, trueFigures } from "../support/service.ts";

const dayMs = 86_400_000;
const days = Number(process.env.DAYS ?? 365);
/** Fewer days cannot be compared: the first weeks are used for learning. */
const fewest = 60;
/** Share of days on which the service fails. */
const faultyShare = 0.2;
/** Faults that pass by themselves, without an hour's wait. */
const passing = singleFaults().filter(
  ([fault]) => (fault?.times ?? fault?.probability) && fault?.name !== "job-stuck",
);
/** Maximum ratio of build times: the last days to a month in. */
const growth = 1.3;

/** Interval in days of runs in a separate process; others run here and must not leave anything open. */
const processEvery = 10;
/** Interval in days for also checking campaigns, rules and devices. */
const listedEvery = 14;
/** Version of the initial data folder, with two zones of its world. */
const earlierVersion = "0.2.0";

const campaignEdits = Array.from({ length: Math.floor(days / 14) }, (_, fortnight): CampaignEdit => {
  const rule = ["FREQ=WEEKLY;BYDAY=MO,TH", "FREQ=DAILY;INTERVAL=2", "FREQ=DAILY", ""][
    fortnight % 4
  ] as string;
  return { kind: "signage", campaignId: fortnight % 2 ? 4 : 8, day: 14 * (fortnight + 1), rule };
});
/** Each quarter a zone gets another device. */
const deviceSwaps = [81, 172, 263, 354]
  .filter((day) => day <= days)
  .map((day, count): DeviceSwap => ({ zoneId: 81001 + (count % 3), day, deviceId: 94001 + count }));

interface Day {
  buildMs: number;
  publishedBytes: number;
  /** Without `reports/`, which gains a folder a day. */
  otherBytes: number;
  plays: number;
  /** Open files and connections of this process. */
  openFiles: number;
  /** Peak memory of a run in a separate process. */
  peakBytes: number | undefined;
}

it.runIf(isSoak && canWatchProcesses)(
  `${days} daily runs of a growing, sometimes failing service on an earlier version's data folder: exact every day, and costs grow only with the plays`,
  async () => {
    expect(days, "DAYS").toBeGreaterThanOrEqual(fewest);
    const setup = await setUp({
      ...earlierWorld,
      days: earlierWorld.days + days,
      zones: 3,
      // The zone that the earlier version did not have.
      zoneScales: [{ zoneId: 81003, playScale: 0.2 }],
      pageLimit: 200,
      campaignEdits,
      deviceSwaps,
    });
    const { emulator } = setup;
    const { now: begin } = placeEarlierData(setup, earlierVersion);
    const random = new Random("year");
    const seen: Day[] = [];
    for (let day = 1; day <= days; day += 1) {
      setNow(setup, new Date(begin.getTime() + day * dayMs));
      const isProcess = day % processEvery === 0;
      const faults = random.chance(faultyShare) ? random.pick(passing) : [];
      emulator.setFaults(faults);
      let ran = await run(setup, { isProcess, mayFail: faults.length > 0 });
      emulator.setFaults([]);
      if (faults.length > 0) ran = await run(setup, { isProcess, mayFail: false });
      const truth = trueFigures(emulator.world, emulator.now());
      expect(await publishedFigures(setup), `day ${day}, after ${describeFaults(faults)}`).toEqual(truth);
      if (day % listedEvery === 0) await expectListings(setup, `day ${day}`);
      const openFiles = await countOpenFiles();
      seen.push({ ...ran, ...sizesOf(setup), plays: countPlays(truth), openFiles });
    }
    const [early, late] = [seen.slice(25, 40), seen.slice(-15)];
    process.stdout.write(`${days} days: ${JSON.stringify({ early: middle(early), late: middle(late) })}\n`);
    expect(median(late, "buildMs")).toBeLessThan(growth * median(early, "buildMs"));
    const peaks = seen.filter(({ peakBytes }) => peakBytes !== undefined);
    expect(median(peaks.slice(-3), "peakBytes")).toBeLessThan(
      growth * median(peaks.slice(0, 3), "peakBytes"),
    );
    // Keep-alive connections come and go.
    expect(median(late, "openFiles")).toBeLessThan(median(early, "openFiles") + 5);
    for (const bytes of ["publishedBytes", "otherBytes"] as const) {
      const perPlay = (some: readonly Day[]) => median(some, bytes) / median(some, "plays");
      expect(perPlay(late), bytes).toBeLessThan(growth * perPlay(early));
    }
    expect(readdirSync(join(setup.dataFolder, "tmp"))).toEqual([]);
    const { stdout } = await runVenue(
      ["query", "select count(*) as devices from dim_device", "--format", "json"],
      setup,
    );
    expect(JSON.parse(stdout)).toEqual([{ devices: 3 + deviceSwaps.length }]);
  },
  7_200_000,
);

async function run(
  setup: Setup,
  { isProcess, mayFail }: { isProcess: boolean; mayFail: boolean },
): Promise<Pick<Day, "buildMs" | "peakBytes">> {
  const { peakBytes, code, stderr } = await (isProcess ? runWatched : runHere)(setup);
  if (!mayFail) expect(code, stderr).toBe(0);
  expect([0, 3], stderr).toContain(code);
  const steps = [...stderr.matchAll(/^built \S+.*\(ms=(\d+)\)$/gm)];
  return { buildMs: steps.reduce((sum, [, ms]) => sum + Number(ms), 0), peakBytes };
}

async function countOpenFiles(): Promise<number> {
  await collectGarbage();
  return readdirSync("/proc/self/fd").length;
}

/** Replaced devices remain. */
async function expectListings(setup: Setup, when: string): Promise<void> {
  const { devices, ...others } = await publishedListings(setup);
  const { devices: trueDevices, ...trueOthers } = trueListings(setup);
  expect(others, when).toEqual(trueOthers);
  expect(devices, when).toEqual(expect.arrayContaining(trueDevices));
}

const words = ["run", "--debug"];

async function runHere(setup: Setup) {
  return { ...(await runVenue(words, setup)), peakBytes: undefined };
}

async function runWatched(setup: Setup) {
  const { child, finished } = startVenue(words, setup);
  const peak = watchPeak(child.pid as number);
  return { ...(await finished), peakBytes: peak() };
}

function sizesOf({ dataFolder }: Setup): { publishedBytes: number; otherBytes: number } {
  const [current, reports] = ["published/current", "reports"].map((name) =>
    bytesIn(join(dataFolder, name)),
  ) as [number, number];
  return { publishedBytes: current, otherBytes: bytesIn(dataFolder) - current - reports };
}

/** Size of files; links to folders are not followed. */
function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? bytesIn(path) : entry.isFile() ? statSync(path).size : 0);
  }, 0);
}

function countPlays(figures: Readonly<Record<string, string>>): number {
  return Object.values(figures).reduce((sum, text) => sum + Number(text.split("/")[0]), 0);
}

/** Median over the days with a value. */
function median(some: readonly Day[], field: keyof Day): number {
  const values = some.flatMap((day) => day[field] ?? []).sort((a, b) => a - b);
  return values[Math.floor(values.length / 2)] ?? 0;
}

function middle(some: readonly Day[]): Record<keyof Day, number> {
  const of = (field: keyof Day) => median(some, field);
  return {
    buildMs: of("buildMs"),
    publishedBytes: of("publishedBytes"),
    otherBytes: of("otherBytes"),
    plays: of("plays"),
    openFiles: of("openFiles"),
    peakBytes: of("peakBytes"),
  };
}

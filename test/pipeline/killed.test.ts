import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { itInAll, itInSoak } from "../support/long-suite.ts";
import { type Running, runVenue, startVenue } from "../support/run-venue.ts";
import { publishedFigures, type Setup, setUp, trueFigures } from "../support/service.ts";
import { countUnanswered } from "./killed-requests.ts";

const world = { days: 12, zones: 4, playScale: 0.3 };

/** Condition, observed from outside, at which to kill. */
type Moment = (setup: Setup) => boolean;

const moments: [label: string, moment: Moment][] = [
  [
    "while the mart is published",
    ({ dataFolder }) =>
      entries(join(dataFolder, "published")).some((name) => !/^(current|v\d+|catalog.duckdb)$/.test(name)),
  ],
];

const furtherMoments: typeof moments = [
  [
    "during a download",
    ({ emulator }) => emulator.requests.some(({ sentBytes }) => (sentBytes ?? 0) > 100_000),
  ],
  ["before the first response", ({ emulator }) => emulator.requests.length > 0],
  ["when the first export is requested", ({ emulator }) => emulator.jobs.length > 0],
  ["when all exports are requested", ({ emulator }) => emulator.jobs.length === 6],
  [
    "after a job was polled",
    ({ emulator }) => emulator.requests.some(({ path }) => path.includes("/exports/")),
  ],
  ["after the first landing", ({ dataFolder }) => landings(dataFolder) > 0],
  ["after all exports have landed", ({ dataFolder }) => landings(dataFolder, "-export-") === 6],
  ["after the publish", ({ dataFolder }) => existsSync(join(dataFolder, "published", "current"))],
];

const name = "killed %s, the next run completes the work with the same figures";
itInAll.each(moments)(name, finishesKilledRun);
itInSoak.each(furtherMoments)(name, finishesKilledRun);

async function finishesKilledRun(label: string, moment: Moment): Promise<void> {
  const setup = await setUp({ ...world, exportSeconds: 0.2, downloadBytesPerSecond: 1_500_000 });
  const wasKilled = await killAt(startVenue(["run"], setup), () => moment(setup));
  expect(wasKilled).toBe(true);
  const unanswered = countUnanswered(setup.dataFolder);
  const again = await runVenue(["run"], setup);
  expect(again.code, again.stderr).toBe(0);
  expect(await publishedFigures(setup)).toEqual(trueFigures(setup.emulator.world, setup.emulator.now()));
  expect(setup.emulator.jobs.length).toBeLessThanOrEqual(
    6 + unanswered + (label === "after the publish" ? 6 : 0),
  );
}

/** Kills the program once the time has come. @returns true if it was still running */
async function killAt({ child, finished }: Running, isTime: () => boolean): Promise<boolean> {
  let isOver = false;
  finished.then(() => {
    isOver = true;
  });
  while (!isOver && !isTime()) await new Promise((resolve) => setTimeout(resolve, 2));
  child.kill("SIGKILL");
  return (await finished).signal === "SIGKILL";
}

function landings(dataFolder: string, word = ""): number {
  return entries(join(dataFolder, "landing")).filter(
    (name) => /\.jsonl(\.gz)?$/.test(name) && name.includes(word),
  ).length;
}

function entries(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

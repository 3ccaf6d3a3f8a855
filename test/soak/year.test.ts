import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Random } from "../../src/emulator/world/random.ts";
import { describeFaults, singleFaults } from "../faults/fault-strengths.ts";
import { isSoak } from "../support/long-suite.ts";
import { startVenue } from "../support/run-venue.ts";
import { publishedFigures, type Setup, setNow, setUp, trueFigures } from "../support/service.ts";

const dayMs = 86_400_000;
const days = Number(process.env.DAYS ?? 365);
/** Fewer can't be compared: the first weeks are learnt from. */
const fewest = 60;
/** Of days on which the service fails. */
const faultyShare = 0.2;
/** Those that pass by themselves, and that no run waits an hour for. */
const passing = singleFaults().filter(
  ([fault]) => (fault?.times ?? fault?.probability) && fault?.name !== "job-stuck",
);
/** Builds take so much longer on the last days than after a month, at most. */
const growth = 1.3;

interface Day {
  buildMs: number;
  publishedBytes: number;
  otherBytes: number;
  plays: number;
}

it.runIf(isSoak)(
  `${days} daily runs of a service that grows and fails now and then: exact each day, and no slower or larger than the plays explain`,
  async () => {
    const setup = await setUp({ days: days + 1, zones: 3, playScale: 0.1, pageLimit: 200 });
    expect(days, "DAYS").toBeGreaterThanOrEqual(fewest);
    const { emulator } = setup;
    const random = new Random("year");
    const begin = emulator.world.endsAt.getTime() - days * dayMs;
    const seen: Day[] = [];
    for (let day = 1; day <= days; day += 1) {
      setNow(setup, new Date(begin + day * dayMs));
      const faults = random.chance(faultyShare) ? random.pick(passing) : [];
      emulator.setFaults(faults);
      let buildMs = await run(setup, faults.length > 0);
      emulator.setFaults([]);
      if (faults.length > 0) buildMs = await run(setup, false);
      const truth = trueFigures(emulator.world, emulator.now());
      expect(await publishedFigures(setup), `day ${day}, after ${describeFaults(faults)}`).toEqual(truth);
      seen.push({ buildMs, ...sizesOf(setup), plays: countPlays(truth) });
    }
    const [early, late] = [seen.slice(25, 40), seen.slice(-15)];
    process.stdout.write(`${days} days: ${JSON.stringify({ early: middle(early), late: middle(late) })}\n`);
    expect(median(late, "buildMs")).toBeLessThan(growth * median(early, "buildMs"));
    const perPlay = (some: readonly Day[]) => median(some, "publishedBytes") / median(some, "plays");
    expect(perPlay(late)).toBeLessThan(growth * perPlay(early));
    expect(readdirSync(join(setup.dataFolder, "tmp"))).toEqual([]);
  },
  7_200_000,
);

/** @returns milliseconds that the steps of the build took */
async function run(setup: Setup, mayFail: boolean): Promise<number> {
  const { code, stderr } = await startVenue(["run", "--debug"], setup).finished;
  if (!mayFail) expect(code, stderr).toBe(0);
  expect([0, 3], stderr).toContain(code);
  const steps = [...stderr.matchAll(/^built \S+.*\(ms=(\d+)\)$/gm)];
  return steps.reduce((sum, [, ms]) => sum + Number(ms), 0);
}

function sizesOf({ dataFolder }: Setup): { publishedBytes: number; otherBytes: number } {
  const current = bytesIn(join(dataFolder, "published", "current"));
  return { publishedBytes: current, otherBytes: bytesIn(dataFolder) - current };
}

/** Of files; links to folders are not followed. */
function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? bytesIn(path) : entry.isFile() ? statSync(path).size : 0);
  }, 0);
}

function countPlays(figures: Readonly<Record<string, string>>): number {
  return Object.values(figures).reduce((sum, text) => sum + Number(text.split("/")[0]), 0);
}

function median(some: readonly Day[], field: keyof Day): number {
  return some.map((day) => day[field]).sort((a, b) => a - b)[Math.floor(some.length / 2)] ?? 0;
}

function middle(some: readonly Day[]): Day {
  const of = (field: keyof Day) => median(some, field);
  return {
    buildMs: of("buildMs"),
    publishedBytes: of("publishedBytes"),
    otherBytes: of("otherBytes"),
    plays: of("plays"),
  };
}

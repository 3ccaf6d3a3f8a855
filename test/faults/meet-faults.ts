import { expect } from "vitest";
import type { FaultSetting } from "../../src/emulator/server/faults/fault-table.ts";
import { Random } from "../../src/emulator/world/random.ts";
import type { Mode } from "../../src/extract/plan/history-plan.ts";
import type { SyncOptions } from "../../src/extract/plan/sync-options.ts";
import type { SyncResult } from "../../src/pipeline/sync-result.ts";
import { VenueError } from "../../src/util/venue-error.ts";
import { coreFigures } from "../pipeline/core-figures.ts";
import { syncHere } from "../pipeline/sync-workspace.ts";
import { publishedListings, trueListings } from "../support/listings.ts";
import { isSoak, itEachSampled } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import {
  type Figures,
  publishedFigures,
  type Setup,
  setNow,
  setUp,
  trueFigures,
} from "../support/service.ts";
import { describeFaults, drawFaults, singleFaults } from "./fault-strengths.ts";

const dayMs = 86_400_000;
export const world = { days: 4, zones: 3, playScale: 0.1, ratePerSecond: 1000, pageLimit: 60 };
/** Minutes that a sync waits for a failing service, shorter than for users. */
export const patience = { exportPatienceMinutes: 0.02, maxMinutes: 0.06 };

/** Random pairs and triples in addition to each fault alone: `make soak` tries all, others a sample. */
const pairs = Number(process.env.PAIRS ?? 40);
const sample = 3;

/** Tests of one mode: each fault in each strength, then combinations. */
export function testFaults(mode: Mode): void {
  const cases = [
    ...singleFaults(),
    ...Array.from({ length: pairs }, (_, seed) => drawFaults(new Random(mode, seed))),
  ];
  const order = new Random(mode, "sample");
  const chosen = isSoak ? cases : Array.from({ length: sample }, () => order.pick(cases));
  const named = chosen.map((settings): [string, FaultSetting[]] => [describeFaults(settings), settings]);
  // Walks, and the choice between both, only in `make test-all`.
  itEachSampled(named, mode === "export" ? 1 : 0)(`by ${mode}: exact figures after %s`, ([, settings]) =>
    syncThroughFaults(mode, settings),
  );
}

/** Two syncs of a growing world while the service fails, then at most two without faults. */
async function syncThroughFaults(mode: Mode, faults: FaultSetting[]): Promise<void> {
  const setup = await setUp(world);
  const { emulator } = setup;
  const end = emulator.world.endsAt.getTime();
  emulator.setFaults(faults);
  for (const daysBefore of [1, 0]) {
    setNow(setup, new Date(end - daysBefore * dayMs));
    await expectClearEnd(() => syncHere(setup, { mode, ...patience }));
    expectWithin(await coreFigures(setup), trueFigures(emulator.world, emulator.now()));
  }
  emulator.setFaults([]);
  // A walk does not request rejected lines again: that takes an export or a full sync.
  const isFull = mode !== "export" && faults.some(({ name }) => name === "bad-records");
  await recover(setup, { mode, isFull });
}

/** Expects a sync to end, whatever the service does: with a clear error of ours if it fails. */
async function expectClearEnd(sync: () => Promise<SyncResult>): Promise<void> {
  try {
    const { failures, nothing } = await sync();
    for (const error of [...failures.map((failure) => failure.error), ...(nothing ? [nothing] : [])]) {
      expect(error).toBeInstanceOf(VenueError);
    }
  } catch (error) {
    expect(error).toBeInstanceOf(VenueError);
  }
}

/** At most two syncs of a sound service collect everything; the build passes its checks and is correct. */
export async function recover(setup: Setup, options: Partial<SyncOptions>): Promise<void> {
  const { emulator } = setup;
  const truth = trueFigures(emulator.world, emulator.now());
  let last = await syncHere(setup, options);
  const isDone = last.failures.length + last.incomplete.length === 0;
  // A walk resumed after a fault may not match its earlier pages; it reports so, and the next is full.
  if (!isDone || !isSame(await coreFigures(setup), truth)) last = await syncHere(setup, options);
  expect([last.failures, last.incomplete]).toEqual([[], []]);
  expect(await coreFigures(setup)).toEqual(truth);
  const build = await runVenue(["build"], setup);
  expect(build.code, build.stderr + build.stdout).toBe(0);
  expect(await publishedFigures(setup)).toEqual(truth);
  expect(await publishedListings(setup)).toEqual(trueListings(setup));
}

/** Plays may be missing while the service fails, but never invented. */
export function expectWithin(found: Figures, truth: Figures): void {
  for (const [day, figures] of Object.entries(found)) {
    const [plays = 0, seconds = 0] = figures.split("/").map(Number);
    const [truePlays = 0, trueSeconds = 0] = (truth[day] ?? "0/0").split("/").map(Number);
    expect(plays <= truePlays && seconds <= trueSeconds, `${day}: ${figures} of ${truth[day]}`).toBe(true);
  }
}

function isSame(found: Figures, truth: Figures): boolean {
  const days = Object.keys(truth);
  return days.length === Object.keys(found).length && days.every((day) => found[day] === truth[day]);
}

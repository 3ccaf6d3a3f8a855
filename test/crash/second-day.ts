import { expect } from "vitest";
import { runVenue } from "../support/run-venue.ts";
import {
  type Figures,
  publishedFigures,
  type Setup,
  setNow,
  setUpIn,
  trueFigures,
} from "../support/service.ts";

const dayMs = 86_400_000;

/** A machine a day after its first run, and its published figures. The caller closes the emulator. */
export interface SecondDay {
  base: Setup;
  first: Figures;
}

/** @param afterFirst more work on the first day */
export async function openSecondDay(
  workingFolder: string,
  zones: number,
  afterFirst: (base: Setup) => Promise<void> = async () => {},
): Promise<SecondDay> {
  const base = await setUpIn(workingFolder, { days: 4, zones, playScale: 0.1 });
  const end = base.emulator.world.endsAt.getTime();
  setNow(base, new Date(end - dayMs));
  await succeed(base, "run");
  const first = await publishedFigures(base);
  expect(first).toEqual(trueFigures(base.emulator.world, base.emulator.now()));
  await afterFirst(base);
  setNow(base, new Date(end));
  return { base, first };
}

export async function succeed(setup: Setup, ...args: string[]): Promise<void> {
  const { code, stderr } = await runVenue(args, setup);
  expect(code, stderr).toBe(0);
}

import { expect, it } from "vitest";
import { isWhole } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { publishedFigures, setNow, setUp, trueFigures } from "../support/service.ts";

it("publishes what is true of the world: every kind, zone and local date, to the play and the second", async () => {
  const setup = await setUp();
  const run = await runVenue(["run"], setup);
  expect(run.code, run.stderr).toBe(0);
  const expected = trueFigures(setup.emulator.world, setup.emulator.now());
  expect(Object.keys(expected).length).toBeGreaterThan(1_500);
  expect(await publishedFigures(setup)).toEqual(expected);
});

it("stays true day after day, with late lines, growing plays and nothing but what changed built again", async () => {
  const setup = await setUp({ days: 20, zones: 5, playScale: 0.2 });
  const { world } = setup.emulator;
  const end = world.endsAt.getTime();
  for (const daysBefore of isWhole ? [6, 5, 4.4, 1, 0] : [5, 4.4, 0]) {
    setNow(setup, new Date(end - daysBefore * 86_400_000));
    const run = await runVenue(["run", "--json"], setup);
    expect(run.code, run.stderr).toBe(0);
    expect(await publishedFigures(setup)).toEqual(trueFigures(world, setup.emulator.now()));
    for (const load of JSON.parse(run.stdout).sync.loads) {
      const { lines, new_plays, changed, unchanged, duplicate, rejected, blank } = load;
      expect(new_plays + changed + unchanged + duplicate + rejected + blank).toBe(lines);
    }
  }
});

it("rejects the broken lines of the world, each once per load, and no other", async () => {
  const setup = await setUp({ days: 10, zones: 4, playScale: 0.2 });
  const run = await runVenue(["run", "--json"], setup);
  const { loads } = JSON.parse(run.stdout).sync;
  for (const { kind, group_id, rejected, blank, lines } of loads) {
    const truth = setup.emulator.world.lineCounts({
      kind,
      groupId: group_id,
      visibleAt: setup.emulator.now(),
    });
    expect({ rejected, blank, lines }).toEqual({
      rejected: truth.broken,
      blank: truth.blank,
      lines: truth.lines,
    });
  }
  expect(loads).toHaveLength(6);
});

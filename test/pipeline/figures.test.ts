import { expect, it } from "vitest";
import type { Kind } from "../../src/util/kind.ts";
import { isSoak, itInAll, share } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { publishedFigures, type Setup, setNow, setUp, trueFigures } from "../support/service.ts";

interface SummarizedLoad {
  kind: Kind;
  group_id: number;
  lines: number;
  new_plays: number;
  changed: number;
  unchanged: number;
  duplicate: number;
  rejected: number;
  blank: number;
}

/** A run; in `make test` without listings and reports, which are slow and add no plays. */
async function run(setup: Setup): Promise<SummarizedLoad[]> {
  const succeed = async (...words: string[]) => {
    const { code, stdout, stderr } = await runVenue([...words, "--json"], setup);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };
  if (isSoak) return (await succeed("run")).sync.loads;
  const { loads } = await succeed("sync", "history");
  await succeed("build");
  return loads;
}

it("published figures match the emulated world for every kind, zone and local date, to the play and second; only its broken lines are rejected, once per load", async () => {
  // Clocks change twice within these days.
  const setup = await setUp({ days: share(32, 60, 60) });
  const loads = await run(setup);
  const expected = trueFigures(setup.emulator.world, setup.emulator.now());
  expect(Object.keys(expected).length).toBeGreaterThan(share(800, 1_500, 1_500));
  expect(await publishedFigures(setup)).toEqual(expected);

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

itInAll(
  "stays correct day after day, with late lines and growing plays, and rebuilds only what changed",
  async () => {
    const setup = await setUp({ days: 20, zones: 5, playScale: 0.2 });
    const { world } = setup.emulator;
    const end = world.endsAt.getTime();
    for (const daysBefore of share([4.4, 0], [4.4, 0], [6, 5, 4.4, 1, 0])) {
      setNow(setup, new Date(end - daysBefore * 86_400_000));
      const loads = await run(setup);
      expect(await publishedFigures(setup)).toEqual(trueFigures(world, setup.emulator.now()));
      for (const load of loads) {
        const { lines, new_plays, changed, unchanged, duplicate, rejected, blank } = load;
        expect(new_plays + changed + unchanged + duplicate + rejected + blank).toBe(lines);
      }
    }
  },
);

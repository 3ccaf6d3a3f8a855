import fc from "fast-check";
import { expect, it } from "vitest";
import { share } from "../../support/long-suite.ts";
import { openNewWarehouse } from "../../support/new-warehouse.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { countsOf, createLoadFixture } from "../load-fixture.ts";
import { expectRejects, expectSameCore } from "./expect-same-core.ts";
import { type KnownLine, type KnownRecord, ReferenceModel } from "./reference-model.ts";

const firstSecond = Date.UTC(2026, 2, 27, 22) / 1000;

const record: fc.Arbitrary<KnownRecord> = fc.record({
  zoneId: fc.constantFrom(1, 2),
  itemId: fc.constantFrom(1, 2),
  // Around midnight, so that an offset determines the day.
  playedAt: fc.nat({ max: 11 }).map((quarter) => firstSecond + quarter * 900),
  offsetMinutes: fc.constantFrom(0, 60),
  durationSecs: fc.constantFrom(30, 0, 200),
  artistId: fc.constantFrom(null, 1, 2),
  locationId: fc.constantFrom(null, 8, 9),
  zoneName: fc.constantFrom("Zone", "Renamed"),
  itemName: fc.constantFrom("One", "Two"),
});

const line: fc.Arbitrary<KnownLine> = fc.oneof(
  { weight: 12, arbitrary: record.map((one) => ({ text: writeLine(one), record: one })) },
  { weight: 1, arbitrary: fc.constant({ text: "Bad Gateway", reason: "invalid_json" }) },
  { weight: 1, arbitrary: fc.constant({ text: "[]", reason: "not_an_object" }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ text: "", blank: true } as const, { text: " ", blank: true } as const),
  },
);

/** Parts of a landing that repeat the previous one, by position, and new lines in between. */
const landing = fc.record({
  source: fc.constantFrom("export", "file"),
  isComplete: fc.boolean(),
  kept: fc.array(fc.record({ from: fc.nat({ max: 60 }), count: fc.nat({ max: 40 }) }), { maxLength: 3 }),
  added: fc.array(fc.record({ at: fc.nat({ max: 60 }), line }), { maxLength: 25 }),
});

function writeLine({ zoneId, itemId, playedAt, offsetMinutes, ...other }: KnownRecord): string {
  const local = new Date((playedAt + offsetMinutes * 60) * 1000).toISOString().slice(0, 19);
  return JSON.stringify({
    zone_id: zoneId,
    zone_name: other.zoneName,
    song_id: itemId,
    song_name: other.itemName,
    play_start: `${local}${offsetMinutes === 0 ? "Z" : "+01:00"}`,
    duration_secs: other.durationSecs,
    artist_id: other.artistId,
    location_id: other.locationId,
  });
}

it("core matches a plain reference for any landings, each similar to the previous one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(landing, { minLength: 2, maxLength: 6 }), async (landings) => {
      const folder = createTempFolder();
      const warehouse = await openNewWarehouse({ folder });
      const fixture = await createLoadFixture({ warehouse });
      const model = new ReferenceModel();
      let lines: KnownLine[] = [];
      try {
        for (const { source, isComplete, kept, added } of landings) {
          lines = kept.flatMap(({ from, count }) => lines.slice(from, from + count)).slice(0, 100);
          for (const { at, line } of added) lines.splice(at, 0, line);
          const result = await fixture.load(
            lines.map(({ text }) => text),
            { source, isComplete },
          );
          const counts = model.load(lines, source === "export" && isComplete);
          expect(countsOf(result)).toEqual(
            Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)),
          );
          await expectSameCore(fixture, model);
          await expectRejects(fixture, result.loadId, lines);
        }
      } finally {
        await warehouse.close();
      }
    }),
    { numRuns: share(1, 30, 1000), seed: 20261123 },
  );
});

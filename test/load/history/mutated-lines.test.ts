import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { share } from "../../support/long-suite.ts";
import { reportTrials } from "../../support/trial-report.ts";
import { createLoadFixture } from "../load-fixture.ts";
import { Random, randomLines } from "./random-lines.ts";

const shape = { zones: 4, days: 5, badShare: 0.02, isContradictory: true };
const linesPerLoad = 2000;
const loads = share(1, 1, 50);
const tried = { lines: 0, plays: 0, rejected: 0 };
afterAll(() => {
  const { lines, ...happened } = tried;
  reportTrials("mutated history lines", lines, happened);
});

/** Bytes with a meaning in JSON, UTF-8, numbers or instants, among others. */
const specialBytes = [...'"{}[]:,\\0123456789-+.eEZTntf \n\r\u0000'].map((character) =>
  character.charCodeAt(0),
);
const byte = fc.oneof(
  fc.constantFrom(...specialBytes, 0x7f, 0x80, 0xc3, 0xed, 0xff),
  fc.integer({ min: 0, max: 255 }),
);
const mutation = fc.record({
  does: fc.constantFrom("replace", "insert", "remove", "cut", "repeat"),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  byte,
});

type Mutation = typeof mutation extends fc.Arbitrary<infer Value> ? Value : never;

function mutate(line: Buffer, { does, at, byte }: Mutation): Buffer {
  const place = Math.floor(at * line.length);
  const [before, after] = [line.subarray(0, place), line.subarray(place)];
  if (does === "replace") return Buffer.concat([before, Buffer.of(byte), after.subarray(1)]);
  if (does === "insert") return Buffer.concat([before, Buffer.of(byte), after]);
  if (does === "remove") return Buffer.concat([before, after.subarray(1)]);
  return does === "cut" ? before : Buffer.concat([line, after]);
}

it(`accounts for mutated lines, and misreads none: ${loads * linesPerLoad}`, async () => {
  const mutations = fc.array(fc.array(mutation, { minLength: 0, maxLength: 3 }), {
    minLength: linesPerLoad,
    maxLength: linesPerLoad,
  });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 2 ** 31 - 1 }), mutations, async (seed, ofLines) => {
      const lines = randomLines(new Random(seed), linesPerLoad, shape).map(({ text }, index) =>
        (ofLines[index] ?? []).reduce(mutate, Buffer.from(text)),
      );
      const content = Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]));
      const fixture = await createLoadFixture();
      const {
        lines: counted,
        newPlays,
        changed,
        unchanged,
        duplicate,
        rejected,
        blank,
      } = await fixture.load(content);
      expect(counted).toBe(content.filter((one) => one === 0x0a).length);
      expect(newPlays + changed + unchanged + duplicate + rejected + blank).toBe(counted);
      const plays = await fixture.warehouse.all<PlayRow>(
        `select zone_id::bigint as zone, item_id::bigint as item, epoch(played_at)::double as at, duration_secs as seconds
        from core.play`,
      );
      expect(plays).toHaveLength(newPlays);
      const identities = new Set(content.toString("latin1").split("\n").flatMap(listIdentities));
      expect(plays.map(keyOf).filter((key) => !identities.has(key))).toEqual([]);
      tried.lines += counted;
      tried.plays += newPlays;
      tried.rejected += rejected;
    }),
    { numRuns: loads, seed: 20261122, endOnFailure: true },
  );
});

interface PlayRow {
  zone: number | bigint;
  item: number | bigint;
  at: number;
  seconds: number;
}

function keyOf({ zone, item, at, seconds }: PlayRow): string {
  return `${zone} ${item} ${Math.floor(at)} ${seconds}`;
}

/**
 * Fields of a play in a line, read by JavaScript alone; none if it is not JSON. DuckDB is laxer: it accepts a
 * trailing comma, and treats form feeds and vertical tabs as blanks.
 */
function listIdentities(latin1: string): string[] {
  const text = Buffer.from(latin1, "latin1")
    .toString()
    .replaceAll(/^[\f\v\s]+|[\f\v\s]+$/g, "")
    .replace(/,\s*\}$/, "}");
  try {
    const { zone_id, song_id, play_start, duration_secs } = JSON.parse(text);
    const at = Math.floor(Date.parse(play_start) / 1000);
    return [keyOf({ zone: Number(zone_id), item: Number(song_id), at, seconds: Number(duration_secs) })];
  } catch {
    return [];
  }
}

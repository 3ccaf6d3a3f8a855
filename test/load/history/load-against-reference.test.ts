import { describe, expect } from "vitest";
import { itEachLimited, itEachSampled } from "../../support/long-suite.ts";
import { countsOf, createLoadFixture } from "../load-fixture.ts";
import { expectRejects, expectSameCore } from "./expect-same-core.ts";
import { type LineShape, Random, randomLines } from "./random-lines.ts";
import { type KnownLine, ReferenceModel } from "./reference-model.ts";

const shape: LineShape = { zones: 4, days: 5, badShare: 0.02, isContradictory: true };
const withoutZeros = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));

describe("core matches a plain reference for the same lines", () => {
  itEachLimited(
    [1, 2, 3, 4, 5, 6],
    1,
    2,
  )("random lines, seed %i", async (seed) => {
    const random = new Random(seed);
    const fixture = await createLoadFixture();
    const model = new ReferenceModel();
    let lines: KnownLine[] = [];
    for (let load = 0; load < 8; load += 1) {
      const added = randomLines(random, random.pick([0, 1, 20, 400]), {
        ...shape,
        badShare: random.pick([0, 0.02, 0.3]),
      });
      // Mostly a superset of the previous lines, like exports; also with some missing, reordered, or all new.
      const kept = random.pick([0, 0.9, 1, 1, 1]);
      lines = [...lines.filter(() => random.next() < kept), ...added];
      if (random.next() < 0.3) lines = random.shuffle(lines);

      const result = await fixture.load(lines.map(({ text }) => text));
      expect(countsOf(result)).toEqual(withoutZeros(model.load(lines)));
      await expectSameCore(fixture, model);
      await expectRejects(fixture, result.loadId, lines);
    }
  });
});

describe("the same lines give the same core", () => {
  const lines = randomLines(new Random(77), 1500, { ...shape, isContradictory: false }).map(
    ({ text }) => text,
  );

  itEachSampled(
    [
      ["loaded twice", () => [lines, lines]],
      ["in pieces", () => [lines.slice(0, 100), lines.slice(100, 900), lines.slice(900)]],
      ["in pieces, in reverse order", () => [lines.slice(900), lines.slice(100, 900), lines.slice(0, 100)]],
      ["shuffled", (random) => [random.shuffle(lines)]],
      ["with repeats", (random) => [random.shuffle([...lines, ...lines.slice(300, 700), ...lines])]],
      ["piece by piece, then complete", () => [lines.slice(0, 10), lines.slice(0, 700), lines, lines]],
    ] as readonly [label: string, loads: (random: Random) => string[][]][],
    1,
  )("%s", async ([_label, loads]) => {
    const once = await createLoadFixture();
    await once.load(lines);
    const otherwise = await createLoadFixture();
    for (const load of loads(new Random(5))) await otherwise.load(load);
    expect(await otherwise.state()).toEqual(await once.state());
  });
});

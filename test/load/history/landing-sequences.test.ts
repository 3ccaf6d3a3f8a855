import { describe, expect } from "vitest";
import type { HistoryLanding } from "../../../src/load/history/load-history.ts";
import { itEachLimited } from "../../support/long-suite.ts";
import { countsOf, createLoadFixture, type LoadFixture } from "../load-fixture.ts";
import { expectRejects, expectSameCore } from "./expect-same-core.ts";
import { judgedAt, LandingHistory, writeFileBytes } from "./landing-history.ts";
import { Random } from "./random-lines.ts";
import { type KnownLine, ReferenceModel } from "./reference-model.ts";

const day = (date: number) => new Date(Date.UTC(2026, 2, date));
const withoutZeros = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));

async function loadAndCompare(
  fixture: LoadFixture,
  model: ReferenceModel,
  content: Buffer,
  lines: readonly KnownLine[],
  landing: Pick<HistoryLanding, "requestedAt"> & Partial<HistoryLanding>,
): Promise<void> {
  const judged = judgedAt(landing.requestedAt, lines);
  const result = await fixture.load(content, landing);
  const isComplete = result.source === "export" && landing.isComplete !== false;
  expect(countsOf(result)).toEqual(withoutZeros(model.load(judged, isComplete, landing.requestedAt)));
  await expectSameCore(fixture, model);
  await expectRejects(fixture, result.loadId, judged);
}

/** Splits the lines into consecutive parts, in order or not. */
function split(random: Random, lines: readonly KnownLine[]): KnownLine[][] {
  const cuts = [0, random.below(lines.length + 1), random.below(lines.length + 1), lines.length];
  cuts.sort((left, right) => left - right);
  return random.shuffle(cuts.slice(1).map((to, index) => lines.slice(cuts[index], to)));
}

const ofZone = (zoneId: number, lines: readonly KnownLine[]) =>
  lines.filter((line) => !("record" in line) || line.record.zoneId === zoneId);

describe("core matches a plain reference for the same lines, whatever was known of them", () => {
  itEachLimited(
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    1,
    2,
  )("seed %i", async (seed) => {
    const random = new Random(seed);
    const fixture = await createLoadFixture();
    const model = new ReferenceModel();
    const lineEnd = random.pick(["\n", "\n", "\r\n"]);
    const group = (groupId: number) => ({
      groupId,
      history: new LandingHistory(random, random.pick([20, 200, 400])),
    });
    const groups = [group(1), group(2)];
    // Two groups share zones: their exports contain the same plays.
    groups[1]?.history.lines.push(...(groups[0]?.history.lines.slice(0, 150) ?? []));
    for (let landing = 0; landing < 12; landing += 1) {
      const { groupId, history } = random.pick(groups);
      history.change();
      const { lines } = history;
      const requestedAt = day(random.pick([28, 29, 30, 31, 40, 40]));
      const load = (content: readonly KnownLine[], overrides: Partial<HistoryLanding>) =>
        loadAndCompare(fixture, model, writeFileBytes(random, content, lineEnd), content, {
          requestedAt,
          ...overrides,
        });
      const way = random.next();
      if (way < 0.65) await load(lines, { groupId, isComplete: random.next() < 0.9 });
      else if (way < 0.75) for (const part of split(random, lines)) await load(part, { source: "file" });
      else if (way < 0.9) await load(ofZone(2, lines), { source: "walk", zoneId: 2 });
      else {
        const content = writeFileBytes(random, lines, lineEnd);
        for (const _time of [1, 2, 3])
          await loadAndCompare(fixture, model, content, lines, { requestedAt, groupId });
      }
    }
  });
});

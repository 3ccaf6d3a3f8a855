import { expect } from "vitest";
import { forgetMachine } from "../../../src/publish/lake/machine-folders.ts";
import { itInAll, share } from "../../support/long-suite.ts";
import { randomNumbers } from "../../support/random-numbers.ts";
import { RandomVenue } from "../random-venue.ts";
import type { MartRows } from "../warehouse-fixture.ts";
import { LakeFixture, type Split } from "./lake-fixture.ts";

/** `TESTS=soak SEEDS=5,6,7` tries other seeds. */
const seeds = (process.env.SEEDS ?? "1").split(",").map(Number);
const [stepCount, comparedEvery] = share([0, 1], [6, 3], [50, 4]);
const names = ["east", "west", "north"];

/** Columns that depend on which machine did what and in which order, by model. */
const notCompared: Readonly<Record<string, readonly string[]>> = {
  // Ids assigned by each warehouse, and counts that depend on what others loaded before.
  "mart.fact_load": ["load_id", "new_plays", "changed", "unchanged", "vanished"],
  "mart.fact_reject": ["load_id"],
  "mart.fact_snapshot": ["snapshot_id"],
  // Differs in a warehouse filled for the first time.
  "mart.mart_info": ["version"],
  "staging.version_built": ["version"],
};

type Random = (n: number) => number;

itInAll.each(seeds)(
  "a lake of several machines matches one machine, built step by step or from scratch (seed %i)",
  async (seed) => {
    const random = randomNumbers(seed);
    const fed = await LakeFixture.open(names, randomSplit(random));
    const venue = new RandomVenue(fed, random);
    await venue.begin();
    const steps = Object.keys(venue.steps);
    let since: string[] = [];
    for (let index = 0; index <= stepCount; index += 1) {
      if (index > 0) {
        const name = steps[random(steps.length)] ?? "";
        await venue.steps[name]?.();
        since.push(name);
        if (random(4) === 0 && index < stepCount) continue;
      }
      const context = `seed ${seed}, step ${index}, since the last look: ${since.join(", ")}`;
      since = [];
      const isCompared = index % comparedEvery === 0 || index === stepCount;
      if (isCompared && index > 0) {
        // Covers data a machine has not published yet, and what another machine takes over.
        await fed.publish(names.slice(1));
        if (random(2) === 0) await forgetMachine(fed.lake, "east");
        await build(fed);
        await expectSame(fed, await fed.union.mart(), await fed.modelsFromNothing(), `half, ${context}`);
      }
      await fed.publish();
      await build(fed);
      if (!isCompared) continue;
      const fromNothing = await fed.modelsFromNothing();
      await expectSame(fed, await fed.union.mart(), fromNothing, `grown, ${context}`);
      const alone = await fed.alone.modelsFromNothing(["staging", "mart"]);
      await expectSame(fed, alone, fromNothing, `alone, ${context}`);
    }
  },
  900_000,
);

/**
 * Each group has a machine that collects it; now and then another one does. Zone 2 is in both groups; a
 * reference file is kept on one machine or on all.
 */
function randomSplit(random: Random): Split {
  const any = () => names[random(names.length)] ?? "";
  const homes: Record<string, readonly string[]> = {};
  const ofGroup = (groupId: number) => (random(8) === 0 ? any() : (names[groupId - 1] ?? ""));
  const ofZone = (zoneId: number) => (zoneId === 2 ? any() : (names[zoneId > 2 ? 1 : 0] ?? ""));
  return {
    history: (source) => (source?.groupId === undefined ? any() : ofGroup(source.groupId)),
    listing: ({ groupId, zoneId }) => (groupId === undefined ? ofZone(zoneId) : ofGroup(groupId)),
    notices: any,
    reference: (file) => {
      homes[file] ??= random(2) === 0 ? names : [any()];
      return homes[file];
    },
  };
}

async function build(fed: LakeFixture): Promise<void> {
  await fed.fill();
  await fed.union.build();
}

/** Incremental `staging` models may differ where the mart is unaffected, so they are optional. */
async function expectSame(
  fed: LakeFixture,
  models: MartRows,
  fromNothing: MartRows,
  context: string,
): Promise<void> {
  const days = await fed.union.warehouse.get<Days>(
    "select min(date) as first, max(date) as last from core.zone_day",
  );
  expect(Object.keys(models).length).toBeGreaterThan(30);
  for (const [model, rows] of Object.entries(models)) {
    expect(selectComparable(model, rows, days), `${model}, ${context}`).toEqual(
      selectComparable(model, fromNothing[model] ?? [], days),
    );
  }
}

interface Days extends Record<string, string> {
  first: string;
  last: string;
}

function selectComparable(model: string, rows: readonly string[], { first, last }: Days): string[] {
  return rows
    .flatMap((text) => {
      const row: Record<string, unknown> = JSON.parse(text);
      // Rule dates beyond the known days depend on when they were found.
      const date = String(row.date);
      if (model === "mart.fact_rule_date" && (date < first || date > last)) return [];
      for (const column of notCompared[model] ?? []) delete row[column];
      return [JSON.stringify(row)];
    })
    .sort();
}

import { describe, expect, it } from "vitest";
import { planBuild } from "../../src/build/build-step.ts";
import { listModels, type Model } from "../../src/mart/model.ts";
import { topics, topicTables } from "../../src/mart/topic.ts";

const models = listModels();
const steps = planBuild(models);
const placeOf = new Map(steps.map(({ name }, place) => [name, place]));

function fingerprints(of: readonly Model[]): Map<string, string> {
  return new Map(
    planBuild(of).flatMap((step) => (step.does === "model" ? [[step.name, step.fingerprint] as const] : [])),
  );
}

/** The models that count as changed once one is another. */
function changedBy(name: string, change: (model: Model) => Partial<Model>): string[] {
  const before = fingerprints(models);
  const after = fingerprints(
    models.map((model) => (model.name === name ? { ...model, ...change(model) } : model)),
  );
  return [...after].flatMap(([model, fingerprint]) => (before.get(model) === fingerprint ? [] : [model]));
}

/** A model, and all that read it, or what reads it. */
function readersOf(name: string): string[] {
  const readers = new Set([name]);
  for (const { does, name: reader, tables } of steps) {
    if (does === "model" && tables.some((table) => readers.has(table))) readers.add(reader);
  }
  return [...readers];
}

it("steps stand behind all that they read", () => {
  for (const { name, tables } of steps) {
    for (const table of tables.filter((read) => placeOf.has(read)))
      expect([name, placeOf.get(table)]).toEqual([
        name,
        expect.toSatisfy((at) => at < (placeOf.get(name) ?? 0)),
      ]);
  }
});

it("days are marked before models are built by them, those of plays first", () => {
  for (const { name, built } of models) {
    if (built.by !== "day") continue;
    expect(placeOf.get(topicTables[built.topic].unpublished), name).toBeLessThan(placeOf.get(name) ?? 0);
  }
  const [first, ...others] = topics.map((topic) => placeOf.get(topicTables[topic].unpublished) ?? -1);
  for (const place of others) expect(place).toBeGreaterThan(first ?? 0);
});

describe("a model is another, and so are all that read it", () => {
  const name = "staging.player_run";

  it.each<[label: string, change: (model: Model) => Partial<Model>]>([
    ["where its select is", ({ sql }) => ({ sql: `select * from (${sql}) as same` })],
    ["where it is built in another way", () => ({ built: { by: "view" } })],
    [
      "where it is published in another way",
      ({ published }) => ({ published: { ...published, isByMonth: true } }),
    ],
  ])("%s", (_label, change) => {
    const readers = readersOf(name);
    expect(readers.length).toBeGreaterThan(1);
    expect(changedBy(name, change).sort()).toEqual(readers.sort());
  });

  it.each<[label: string, change: (model: Model) => Partial<Model>]>([
    ["where it is the same", () => ({})],
    ["for a comment", ({ sql }) => ({ sql: sql.replace("\n", "\n-- Another line.\n--\n") })],
    ["for a line at its end", ({ sql }) => ({ sql: `${sql}\n\n` })],
  ])("but not %s", (_label, change) => {
    expect(changedBy(name, change)).toEqual([]);
  });
});

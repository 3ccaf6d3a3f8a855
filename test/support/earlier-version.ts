import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import type { Figures, Setup } from "./service.ts";

const fixtures = fileURLToPath(new URL("../fixtures/upgrades/", import.meta.url));

/** Named by the commits whose code made them. */
export const earlierVersions: readonly string[] = readdirSync(fixtures).filter((name) =>
  /^[0-9a-f]{7}$/.test(name),
);

/** Their world, as `make.mjs` of the fixtures starts it. */
export const earlierWorld = { seed: 5, days: 2, zones: 2, groups: 1, playScale: 0.05 };

export const databases = ["warehouse.duckdb", "state.db"] as const;

/**
 * Puts the databases of an earlier version where the program looks for them.
 * @returns when it collected last, and what its `core` held
 */
export function placeEarlierData(
  { dataFolder }: Pick<Setup, "dataFolder">,
  commit: string,
): { now: Date; figures: Figures } {
  const { now, figures } = JSON.parse(readFileSync(join(fixtures, commit, "expected.json"), "utf8"));
  mkdirSync(dataFolder);
  for (const name of databases) {
    const packed = readFileSync(join(fixtures, commit, `${name}.br`));
    writeFileSync(join(dataFolder, name), brotliDecompressSync(packed));
  }
  return { now: new Date(now), figures };
}

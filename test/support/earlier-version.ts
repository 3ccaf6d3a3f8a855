import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
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
const clientDatabase = "client.db";

/**
 * Puts the databases of an earlier version where the program looks for them. Of the oldest there is no `client.db`.
 * @returns when it collected last, and what its `core` held
 */
export function placeEarlierData(
  { dataFolder, environment }: Pick<Setup, "dataFolder" | "environment">,
  commit: string,
): { now: Date; figures: Figures } {
  const { now, figures } = JSON.parse(readFileSync(join(fixtures, commit, "expected.json"), "utf8"));
  const { VENUE_HOME: home } = environment;
  if (home === undefined) throw new Error("VENUE_HOME is not set.");
  for (const folder of [dataFolder, home]) mkdirSync(folder, { recursive: true });
  for (const name of [...databases, clientDatabase]) {
    const packed = join(fixtures, commit, `${name}.br`);
    if (name === clientDatabase && !existsSync(packed)) continue;
    const file = join(name === clientDatabase ? home : dataFolder, name);
    writeFileSync(file, brotliDecompressSync(readFileSync(packed)));
  }
  return { now: new Date(now), figures };
}

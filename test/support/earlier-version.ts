import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import type { Figures, Setup } from "./service.ts";

const fixtures = fileURLToPath(new URL("../fixtures/upgrades/", import.meta.url));

/** Versions whose data folders can be upgraded. */
export const earlierVersions: readonly string[] = readdirSync(fixtures).filter((name) => /^\d/.test(name));

/** Their world, with the options in `make.mjs` of the fixtures. */
export const earlierWorld = { seed: 5, days: 2, zones: 2, groups: 1, playScale: 0.05 };

export const databases = ["warehouse.duckdb", "state.db"] as const;
const clientDatabase = "client.db";

/**
 * Puts an earlier version's databases and published files in place.
 * @returns the time of its last sync, and the content of its `core`
 */
export function placeEarlierData(
  { dataFolder, environment }: Pick<Setup, "dataFolder" | "environment">,
  version: string,
): { now: Date; figures: Figures } {
  const { now, figures } = JSON.parse(readFileSync(join(fixtures, version, "expected.json"), "utf8"));
  const { VENUE_HOME: home } = environment;
  if (home === undefined) throw new Error("VENUE_HOME is not set.");
  for (const folder of [dataFolder, home]) mkdirSync(folder, { recursive: true });
  for (const name of [...databases, clientDatabase])
    writeFileSync(join(name === clientDatabase ? home : dataFolder, name), unpack(version, name));
  placePublished(join(dataFolder, "published"), JSON.parse(unpack(version, "published.json").toString()));
  return { now: new Date(now), figures };
}

/** Puts the lake in place into which an earlier version published its data. */
export function placeEarlierLake(folder: string, version: string): void {
  placeFiles(folder, JSON.parse(unpack(version, "lake.json").toString()));
}

function unpack(version: string, name: string): Buffer {
  return brotliDecompressSync(readFileSync(join(fixtures, version, `${name}.br`)));
}

function placePublished(
  folder: string,
  { version, files }: { version: string; files: Record<string, string> },
): void {
  placeFiles(join(folder, version), files);
  symlinkSync(version, join(folder, "current"));
}

/** @param files contents by path, in base64 */
function placeFiles(folder: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, "base64");
  }
}

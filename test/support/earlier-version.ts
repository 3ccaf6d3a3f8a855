import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import type { Figures, Setup } from "./service.ts";

const fixtures = fileURLToPath(new URL("../fixtures/upgrades/", import.meta.url));

/** The commit whose schema changed before it was released. */
export const unreleasedCommit = "1d89b2d";

/** Named by the commits whose code made them; without the unreleased one. */
export const earlierVersions: readonly string[] = readdirSync(fixtures).filter(
  (name) => /^[0-9a-f]{7}$/.test(name) && name !== unreleasedCommit,
);

/** Their world, as `make.mjs` of the fixtures starts it. */
export const earlierWorld = { seed: 5, days: 2, zones: 2, groups: 1, playScale: 0.05 };

export const databases = ["warehouse.duckdb", "state.db"] as const;
const clientDatabase = "client.db";

/**
 * Puts an earlier version's databases and published files in place. The unreleased version only has
 * `warehouse.duckdb` and `state.db`.
 * @returns the time of its last sync, and the content of its `core`
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
    const content = unpack(commit, name);
    if (content) writeFileSync(join(name === clientDatabase ? home : dataFolder, name), content);
  }
  const published = unpack(commit, "published.json");
  if (published) placePublished(join(dataFolder, "published"), JSON.parse(published.toString()));
  return { now: new Date(now), figures };
}

/** Puts the lake in place that version 0.2.0 made of an earlier version's data. */
export function placeEarlierLake(folder: string, commit: string): void {
  placeFiles(folder, JSON.parse(unpack(commit, "lake.json")?.toString() ?? ""));
}

function unpack(commit: string, name: string): Buffer | undefined {
  const packed = join(fixtures, commit, `${name}.br`);
  return existsSync(packed) ? brotliDecompressSync(readFileSync(packed)) : undefined;
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

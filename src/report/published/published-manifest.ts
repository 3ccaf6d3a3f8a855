import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PublishedDamagedError } from "./published-errors.ts";

/** What readers need of a version folder's `manifest.json`. */
export interface PublishedManifest {
  version: string;
  /** ISO instant. */
  built_at: string;
  /** ISO instant. */
  data_as_of: string | null;
  software_version: string;
  tables: Record<string, PublishedTable>;
}

export interface PublishedTable {
  columns: { name: string; type: string }[];
  /** Paths are relative to the version folder. */
  files: { path: string; bytes: number }[];
}

/** @throws {PublishedDamagedError} when it is missing or not a manifest */
export async function readManifest(versionFolder: string): Promise<PublishedManifest> {
  const path = join(versionFolder, "manifest.json");
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new PublishedDamagedError(`${path} can't be read`, { cause: error });
  });
  try {
    const manifest: unknown = JSON.parse(text);
    assertManifest(manifest);
    return manifest;
  } catch (error) {
    throw new PublishedDamagedError(`${path} is not a manifest`, { cause: error });
  }
}

function assertManifest(value: unknown): asserts value is PublishedManifest {
  const manifest = value as Partial<PublishedManifest> | null;
  const isManifest =
    typeof manifest?.version === "string" &&
    typeof manifest.built_at === "string" &&
    typeof manifest.tables === "object" &&
    Object.values(manifest.tables).every(
      (table) =>
        Array.isArray(table.columns) &&
        table.columns.every(({ name, type }) => typeof name === "string" && typeof type === "string") &&
        Array.isArray(table.files) &&
        table.files.every(({ path, bytes }) => typeof path === "string" && typeof bytes === "number"),
    );
  if (!isManifest) throw new TypeError("version, built_at, tables, or their columns and files are missing");
}

import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { publishedDamagedError } from "./errors.ts";

/** `manifest.json` of a version folder: what the version holds, so that readers can check that they have all of it. */
export interface Manifest {
  version: string;
  /** ISO instant. */
  built_at: string;
  /** ISO instant; `null` when nothing was ever loaded. */
  data_as_of: string | null;
  software_version: string;
  /** That the software was compiled from, with `-dirty` where files differed from it; `null` where unknown. */
  software_commit: string | null;
  tables: Record<string, ManifestTable>;
}

export interface ManifestTable {
  /** Files lie in `month=YYYY-MM` folders, by the month of `date`: one, or several that share its days. */
  partitioned: boolean;
  columns: ManifestColumn[];
  rows: number;
  files: ManifestFile[];
}

export interface ManifestColumn {
  name: string;
  /** As DuckDB reads it from the file; instants are `TIMESTAMP WITH TIME ZONE`. */
  type: string;
  description: string;
}

export interface ManifestFile {
  /** Relative to the version folder. */
  path: string;
  rows: number;
  bytes: number;
  sha256: string;
  /** Local dates, `YYYY-MM-DD`; `null` in a table without `date`, and in an empty file. */
  min_date: string | null;
  max_date: string | null;
}

export const manifestName = "manifest.json";

/** The manifest of a version folder; `undefined` when the folder has none that can be read. */
export function findManifest(versionFolder: string): Manifest | undefined {
  const path = join(versionFolder, manifestName);
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Manifest;
  } catch {
    return undefined;
  }
}

/**
 * The manifest of a version folder, as far as readers need it.
 * @throws {VenueError} `PUBLISHED_DAMAGED` when it is missing or not a manifest
 */
export async function readManifest(versionFolder: string): Promise<Manifest> {
  const path = join(versionFolder, manifestName);
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw publishedDamagedError(`${path} can't be read`, { cause: error });
  });
  try {
    const manifest: unknown = JSON.parse(text);
    assertManifest(manifest);
    return manifest;
  } catch (error) {
    throw publishedDamagedError(`${path} is not a manifest`, { cause: error });
  }
}

function assertManifest(value: unknown): asserts value is Manifest {
  const manifest = value as Partial<Manifest> | null;
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

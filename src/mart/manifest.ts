import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { publishedDamagedError } from "./errors.ts";

/**
 * `manifest.json` in a version folder. It lists the folder's contents, so that readers can check that they
 * have everything.
 */
export interface Manifest {
  version: string;
  /** ISO instant. */
  built_at: string;
  /** ISO instant; `null` if nothing was ever loaded. */
  data_as_of: string | null;
  software_version: string;
  /** Commit the software was built from, with `-dirty` if files differed from it; `null` if unknown. */
  software_commit: string | null;
  tables: Record<string, ManifestTable>;
}

export interface ManifestTable {
  /**
   * True if files are in `month=YYYY-MM` folders by `date`, or in `YYYY-MM` folders by `month`. A month has one file,
   * or several that each contain some of its days.
   */
  partitioned: boolean;
  columns: ManifestColumn[];
  rows: number;
  files: ManifestFile[];
}

export interface ManifestColumn {
  name: string;
  /** The type DuckDB reads from the file; instants are `TIMESTAMP WITH TIME ZONE`. */
  type: string;
  description: string;
}

export interface ManifestFile {
  /** Relative to the version folder. */
  path: string;
  rows: number;
  bytes: number;
  sha256: string;
  /** Local dates, `YYYY-MM-DD`; `null` without a `date` column, and in an empty file. */
  min_date: string | null;
  max_date: string | null;
}

export const manifestName = "manifest.json";

/** Lists all files of a version's tables. */
export function listTableFiles({ tables }: Manifest): ManifestFile[] {
  return Object.values(tables).flatMap(({ files }) => files);
}

/** Returns the pattern of a table's files, relative to the version folder. */
export function versionGlob(table: string, files: readonly ManifestFile[]): string {
  return files.some(({ path }) => path.startsWith(`${table}/`))
    ? `${table}/**/*.parquet`
    : `${table}.parquet`;
}

/** Returns the manifest of a version folder; `undefined` if it is missing or unreadable. */
export function findManifest(versionFolder: string): Manifest | undefined {
  const path = join(versionFolder, manifestName);
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Manifest;
  } catch {
    return undefined;
  }
}

/** Parses a manifest; returns `undefined` if it is not one. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    const manifest: unknown = JSON.parse(text);
    assertManifest(manifest);
    return manifest;
  } catch {
    return undefined;
  }
}

/** Reads a manifest, and validates the values that readers need. @throws {VenueError} `PUBLISHED_DAMAGED` */
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

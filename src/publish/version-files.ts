import { type BigIntStats, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { escapeGlob, sqlText } from "../engines/sql-text.ts";
import type { Manifest, ManifestFile } from "../mart/manifest.ts";
import { sha256Of } from "../util/files/file-content.ts";

export interface WrittenVersion {
  folder: string;
  manifest: Manifest;
}

/** Lists paths of a table's files that are not identical in `other`. The rows in all other files are the same. */
export async function listDifferingFiles(
  version: WrittenVersion,
  other: WrittenVersion,
  table: string,
): Promise<string[]> {
  const shared = new Set(filesOf(other, table).map(({ sha256 }) => sha256));
  return await listIntact(
    version,
    filesOf(version, table).filter(({ sha256 }) => !shared.has(sha256)),
  );
}

export async function listIntactFiles(version: WrittenVersion, table: string): Promise<string[]> {
  return await listIntact(version, filesOf(version, table));
}

/** Lists intact files. Files that were damaged or removed later are no evidence of a loss. */
async function listIntact({ folder }: WrittenVersion, files: readonly ManifestFile[]): Promise<string[]> {
  const sound: string[] = [];
  for (const { path, sha256 } of files) {
    const file = join(folder, path);
    if (existsSync(file) && (await sha256Of(file)) === sha256) sound.push(file);
  }
  return sound;
}

function filesOf({ manifest }: WrittenVersion, table: string): readonly ManifestFile[] {
  return manifest.tables[table]?.files ?? [];
}

/** Returns an expression for a `from` clause. */
export function readFiles(files: readonly string[]): string {
  const list = files.map((file) => sqlText(escapeGlob(file))).join(", ");
  return `read_parquet([${list}], hive_partitioning = false)`;
}

interface ExpectedContent {
  bytes: number;
  sha256: string;
  /** The manifest with these values. */
  manifestPath: string;
}

/** Compares a file with its manifest. The recorded hash is trusted if the file is older than the manifest. */
export async function isIntact(
  file: string,
  { bytes, sha256, manifestPath }: ExpectedContent,
): Promise<boolean> {
  const status = findStatus(file);
  if (status?.size !== BigInt(bytes)) return false;
  const describedAt = findStatus(manifestPath)?.mtimeNs ?? 0n;
  return status.mtimeNs < describedAt || (await sha256Of(file)) === sha256;
}

function findStatus(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

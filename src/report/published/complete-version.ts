import { readlink, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { NothingPublishedError, publishedDamagedError, UnknownVersionError } from "../../mart/errors.ts";
import { type Manifest, readManifest } from "../../mart/manifest.ts";
import { listVersions } from "../../mart/published-versions.ts";
import { getErrorMessage } from "../../util/venue-error.ts";

/** A version whose files all exist with the sizes in its manifest. */
interface CompleteVersion {
  versionFolder: string;
  manifest: Manifest;
}

/** @throws {NothingPublishedError} @throws {VenueError} `PUBLISHED_DAMAGED` */
export async function readCurrent(publishedFolder: string): Promise<CompleteVersion> {
  const link = join(publishedFolder, "current");
  const versionFolder = await realpath(link).catch(async (error: unknown) => {
    const target = await readlink(link).catch(() => undefined);
    if (target === undefined) throw new NothingPublishedError(publishedFolder, { cause: error });
    throw publishedDamagedError(`${link} points to ${target}, which is missing`, { cause: error });
  });
  return await readComplete(versionFolder);
}

/** @throws {UnknownVersionError} @throws {VenueError} `PUBLISHED_DAMAGED` */
export async function readVersion(publishedFolder: string, version: string): Promise<CompleteVersion> {
  const known = listVersions(publishedFolder);
  if (!known.includes(version)) throw new UnknownVersionError(version, known, `in ${publishedFolder}`);
  return await readComplete(await realpath(join(publishedFolder, version)));
}

async function readComplete(versionFolder: string): Promise<CompleteVersion> {
  const manifest = await readManifest(versionFolder);
  await assertComplete(versionFolder, manifest);
  return { versionFolder, manifest };
}

async function assertComplete(versionFolder: string, { tables }: Manifest): Promise<void> {
  const files = Object.values(tables).flatMap((table) => table.files);
  await Promise.all(
    files.map(async ({ path, bytes }) => {
      const file = join(versionFolder, path);
      const { size } = await stat(file).catch((error: unknown) => {
        throw publishedDamagedError(`${file} is missing`, { cause: error });
      });
      if (size !== bytes) {
        throw publishedDamagedError(`${file} has ${size} bytes instead of ${bytes}`);
      }
    }),
  );
}

export function rethrowDamage(error: unknown): never {
  throw translateDamage(error);
}

/** Translates DuckDB's errors about missing or damaged Parquet files; returns other errors unchanged. */
export function translateDamage(error: unknown): unknown {
  const message = getErrorMessage(error);
  const isDamage =
    /^(IO|Invalid|Invalid Input|Serialization) Error: .*(magic bytes|too small to be a Parquet|TProtocolException|Decompression|No files found|No such file|parquet.*corrupt|Could not read enough bytes|Out of buffer|corrupt(ed)? file|Varint-decoding|don't know what type)/i.test(
      message,
    );
  return isDamage ? publishedDamagedError(message.split("\n", 1)[0] ?? message, { cause: error }) : error;
}

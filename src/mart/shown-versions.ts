import type { Nessie, NessieVersion } from "../engines/nessie/nessie.ts";
import { UnknownVersionError } from "./errors.ts";

/** Nessie branch that a cluster's readers see. */
export const readersBranch = "main";

/** A version that a cluster's readers see or have seen. */
export interface ShownVersion {
  /** E.g. `v000007`. */
  version: string;
  /** UTC, `YYYY-MM-DD HH:MM:SS`; `null` if nothing was loaded. */
  dataAsOf: string | null;
  softwareVersion: string;
}

/** Properties of the commits that publish a version. */
const properties = {
  version: "venue-version",
  dataAsOf: "venue-data-as-of",
  software: "venue-software",
} as const;

export function toProperties({ version, dataAsOf, softwareVersion }: ShownVersion): Record<string, string> {
  return {
    [properties.version]: version,
    [properties.dataAsOf]: dataAsOf ?? "",
    [properties.software]: softwareVersion,
  };
}

/** A published version, and where its tables are. */
export interface PastVersion extends ShownVersion {
  /** ISO 8601, in UTC. */
  shownAt: string;
  at: NessieVersion;
}

/** Yields all versions that readers have ever seen, newest first. */
export async function* listShown(nessie: Nessie): AsyncGenerator<PastVersion> {
  for await (const { hash, committedAt, properties: found } of nessie.commits(readersBranch)) {
    const version = found[properties.version];
    if (version === undefined) continue;
    yield {
      version,
      dataAsOf: found[properties.dataAsOf] || null,
      softwareVersion: found[properties.software] ?? "",
      shownAt: committedAt,
      at: { branch: readersBranch, hash },
    };
  }
}

/**
 * @returns `version`, by default the current one; `undefined` before the first version
 * @throws {UnknownVersionError} when `version` was never published
 */
export async function findShown(nessie: Nessie, version?: string): Promise<PastVersion | undefined> {
  const known: string[] = [];
  for await (const shown of listShown(nessie)) {
    if (version === undefined || shown.version === version) return shown;
    known.push(shown.version);
  }
  if (version !== undefined) throw new UnknownVersionError(version, known, "that `venue status` lists");
  return undefined;
}

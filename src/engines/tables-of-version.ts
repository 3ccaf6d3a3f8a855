import type { Nessie, NessieVersion } from "./nessie/nessie.ts";

/**
 * The tables of a version, as Trino reads them whatever is merged meanwhile: relations by `namespace.table`. Trino itself
 * looks at a branch once per table, so that one query that joins several may see a part of them before a merge and the
 * rest after it.
 * @param catalog Trino's, in which the branch of the version is read
 */
export async function relationsOfVersion(
  nessie: Nessie,
  version: NessieVersion,
  catalog: string,
): Promise<Record<string, string>> {
  const tables = await nessie.getTables(version);
  return Object.fromEntries(
    [...tables].map(([name, { snapshotId }]) => {
      const table = `${catalog}.${name}`;
      // It was made, and nothing was written into it.
      if (snapshotId === "-1") return [name, `(select * from ${table} where false)`];
      return [name, `${table} for version as of ${snapshotId}`];
    }),
  );
}

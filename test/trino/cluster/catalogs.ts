import { basename, dirname } from "node:path";

type Properties = Readonly<Record<string, string | number | boolean>>;

/**
 * Catalogs of a cluster over one lake, by name: `venue_core` reads its files, `venue_build` writes Iceberg
 * tables on the branch `build`, `venue_mart` reads and writes those of `main`.
 * @param lake its folder; a table's location `local:///` is the folder above
 */
export function catalogsOf(lake: string, nessieUrl: string): Readonly<Record<string, Properties>> {
  const name = basename(lake);
  const files = { "fs.native-local.enabled": true, "local.location": dirname(lake) };
  const iceberg = (branch: string) => ({
    "connector.name": "iceberg",
    "iceberg.catalog.type": "nessie",
    "iceberg.nessie-catalog.uri": `${nessieUrl}/api/v2`,
    "iceberg.nessie-catalog.ref": branch,
    // Months written by one statement: a full build of a model writes all of them.
    "iceberg.max-partitions-per-writer": 1_000,
    "iceberg.nessie-catalog.default-warehouse-dir": `local:///${name}/iceberg`,
    ...files,
  });
  return {
    venue_core: {
      "connector.name": "hive",
      "hive.metastore": "file",
      "hive.metastore.catalog.dir": `local:///${name}/trino`,
      "hive.timestamp-precision": "MICROSECONDS",
      "hive.parquet.time-zone": "UTC",
      "hive.allow-register-partition-procedure": true,
      "hive.insert-existing-partitions-behavior": "OVERWRITE",
      ...files,
    },
    venue_build: iceberg("build"),
    venue_mart: iceberg("main"),
  };
}

export function propertiesText(properties: Properties): string {
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}

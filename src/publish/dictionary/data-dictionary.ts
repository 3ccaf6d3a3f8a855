import type { Manifest, ManifestColumn } from "../../mart/manifest.ts";
import type { Model } from "../../mart/model.ts";

/** `dictionary.json`: what every table and column of a version means. */
export interface DataDictionary {
  version: string;
  tables: {
    name: string;
    /** What one row is. */
    description: string;
    /** Columns that are unique together. */
    grain: string[];
    columns: ManifestColumn[];
  }[];
}

/** From the headers of the models, with the types that were published. */
export function describeTables(models: readonly Model[], manifest: Manifest): DataDictionary {
  return {
    version: manifest.version,
    tables: models.map(({ table, summary, grain }) => ({
      name: table,
      description: summary,
      grain,
      columns: manifest.tables[table]?.columns ?? [],
    })),
  };
}

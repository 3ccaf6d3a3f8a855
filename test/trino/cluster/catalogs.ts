import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { packageRoot } from "../../../src/util/files/package-files.ts";
import { storeEnvironment } from "../../s3/start-store.ts";

export const catalogFolder = join(packageRoot, "docs/trino/catalog");

/** The bucket `s3://venue` of the documented catalogs. */
export interface Bucket {
  /** The folder that serves as bucket: behind the store, or instead of it. */
  folder: string;
  /** The store's; `undefined` without a store. */
  endpoint?: string | undefined;
}

/** Returns the documented catalogs of a cluster, as properties files by name, for another place of the bucket. */
export function catalogsOf({ folder, endpoint }: Bucket, nessieUrl: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(catalogFolder).map((file) => {
      const text = readFileSync(join(catalogFolder, file), "utf8").replace("http://nessie:19120", nessieUrl);
      const placed = endpoint === undefined ? toFolder(text, folder) : toStore(text, endpoint);
      return [basename(file, ".properties"), placed];
    }),
  );
}

/** As docs/scale.md describes for NFS. */
function toFolder(text: string, folder: string): string {
  const properties = { "fs.native-local.enabled": true, "local.location": folder };
  const moved = text.replaceAll("s3://venue/", "local:///");
  return `${moved.replaceAll(/^(fs|s3)\..*\n/gm, "")}${propertiesText(properties)}`;
}

function toStore(text: string, endpoint: string): string {
  const properties = {
    "s3.endpoint": endpoint,
    "s3.region": storeEnvironment.AWS_REGION,
    "s3.aws-access-key": storeEnvironment.AWS_ACCESS_KEY_ID,
    "s3.aws-secret-key": storeEnvironment.AWS_SECRET_ACCESS_KEY,
    // By default, Trino waits for minutes for a store that is down.
    "s3.max-error-retries": 1,
  };
  return `${text.replaceAll(/^s3\.(?!path-style).*\n/gm, "")}${propertiesText(properties)}`;
}

type Properties = Readonly<Record<string, string | number | boolean>>;

export function propertiesText(properties: Properties): string {
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}

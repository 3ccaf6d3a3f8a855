import type { Nessie, NessieVersion } from "../../engines/nessie/nessie.ts";

/** What is built, before readers see it. */
const buildBranch = "build";
/** What readers see. */
const readersBranch = "main";

/** Properties of the commits that show a version. */
const properties = {
  version: "venue-version",
  dataAsOf: "venue-data-as-of",
  software: "venue-software",
} as const;

/** A version that readers saw, or see. */
export interface ShownVersion {
  /** E.g. `v000007`. */
  version: string;
  /** UTC, `YYYY-MM-DD HH:MM:SS`; `null` when nothing was loaded. */
  dataAsOf: string | null;
  softwareVersion: string;
}

const schemas = ["core", "staging", "mart"];

/**
 * Begins a build: its branch is as what readers see, whatever a build that was killed, or failed, left on it. It has the
 * schemas: Trino could not make them on a branch that was reset, because it takes the branch to be as it knew it last.
 */
export async function beginBranch(nessie: Nessie): Promise<void> {
  const shown = await makeSchemas(nessie);
  const left = await nessie.findBranch(buildBranch);
  if (!left) await nessie.createBranch(buildBranch, shown);
  else if (left.hash !== shown.hash) await nessie.resetBranch(left, shown);
}

/** Branches merge only where they have a commit in common: these are the first. */
async function makeSchemas(nessie: Nessie): Promise<NessieVersion> {
  let shown = await nessie.getBranch(readersBranch);
  const known = await nessie.listNamespaces(shown);
  for (const schema of schemas.filter((name) => !known.includes(name))) {
    shown = await nessie.createNamespace(shown, schema, `Make the schema ${schema}`);
  }
  return shown;
}

/** Shows readers all tables of the branch in one instant. */
export async function showBranch(
  nessie: Nessie,
  { version, dataAsOf, softwareVersion }: ShownVersion,
): Promise<void> {
  const built = await nessie.getBranch(buildBranch);
  await nessie.merge(built, await nessie.getBranch(readersBranch), {
    message: `Publish ${version}`,
    properties: {
      [properties.version]: version,
      [properties.dataAsOf]: dataAsOf ?? "",
      [properties.software]: softwareVersion,
    },
  });
}

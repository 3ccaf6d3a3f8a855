import type { Nessie, NessieVersion } from "../../engines/nessie/nessie.ts";
import { propertiesOf, readersBranch, type ShownVersion } from "../../mart/shown-versions.ts";

/** What is built, before readers see it. */
const buildBranch = "build";
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
export async function showBranch(nessie: Nessie, shown: ShownVersion): Promise<void> {
  const built = await nessie.getBranch(buildBranch);
  await nessie.merge(built, await nessie.getBranch(readersBranch), {
    message: `Publish ${shown.version}`,
    properties: propertiesOf(shown),
  });
}

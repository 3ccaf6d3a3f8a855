import type { Engine } from "../../engines/engine.ts";
import type { Nessie, NessieVersion } from "../../engines/nessie/nessie.ts";
import { sqlTimestamp } from "../../engines/sql-text.ts";
import { readersBranch, type ShownVersion, toProperties } from "../../mart/shown-versions.ts";
import { VenueError } from "../../util/venue-error.ts";

/** Branch on which a version is built before readers see it. */
const buildBranch = "build";
const schemas = ["core", "staging", "mart"];

/**
 * Resets the build branch to the readers' version, which discards changes from killed or failed builds. Creates the
 * schemas first: after a reset, Trino still assumes the branch's earlier state and cannot create them.
 */
export async function beginBranch(nessie: Nessie): Promise<void> {
  const shown = await createSchemas(nessie);
  const left = await nessie.findBranch(buildBranch);
  if (!left) await nessie.createBranch(buildBranch, shown);
  else if (left.hash !== shown.hash) await nessie.resetBranch(left, shown);
}

/** Creates the schemas on the readers' branch, because branches merge only if they have a common commit. */
async function createSchemas(nessie: Nessie): Promise<NessieVersion> {
  let shown = await nessie.getBranch(readersBranch);
  const known = await nessie.listNamespaces(shown);
  for (const schema of schemas.filter((name) => !known.includes(name))) {
    shown = await nessie.createNamespace(shown, schema, `Make the schema ${schema}`);
  }
  return shown;
}

/** Publishes all tables of the branch at once. */
export async function revealBranch(nessie: Nessie, shown: ShownVersion): Promise<void> {
  const built = await nessie.getBranch(buildBranch);
  await nessie.merge(built, await nessie.getBranch(readersBranch), {
    message: `Publish ${shown.version}`,
    properties: toProperties(shown),
  });
}

/** Asserts that no build from another data folder has taken over the branch. */
export async function assertThisBranch(engine: Engine, version: string, builtAt: Date): Promise<void> {
  const own = await engine.find(
    "select version from core.version where version = ? and built_at = cast(? as timestamp(6)) and published_at is null",
    [version, sqlTimestamp(builtAt)],
  );
  if (!own) throw buildOvertakenError(version);
}

/** Two builds used the branch at the same time; the later one continues. */
function buildOvertakenError(version: string): VenueError {
  return new VenueError(
    "BUILD_OVERTAKEN",
    "busy",
    `Another build started on the branch while ${version} was being built, so ${version} was not published. Build on one machine at a time; run this again after the other build ends.`,
  );
}

import type { Engine } from "../../engines/engine.ts";
import type { Nessie, NessieVersion } from "../../engines/nessie/nessie.ts";
import { sqlTimestamp } from "../../engines/sql-text.ts";
import { propertiesOf, readersBranch, type ShownVersion } from "../../mart/shown-versions.ts";
import { VenueError } from "../../util/venue-error.ts";

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

/** Another build, from another data folder, may have begun meanwhile: then the branch is its own. */
export async function assertOwnBranch(engine: Engine, version: string, builtAt: Date): Promise<void> {
  const own = await engine.find(
    "select version from core.version where version = ? and built_at = cast(? as timestamp(6)) and published_at is null",
    [version, sqlTimestamp(builtAt)],
  );
  if (!own) throw buildOvertakenError(version);
}

/** Two builds at the same time on one branch: the later one goes on. */
function buildOvertakenError(version: string): VenueError {
  return new VenueError(
    "BUILD_OVERTAKEN",
    "busy",
    `Another build has begun on the branch while ${version} was built: nothing of ${version} was shown. Let one machine build at a time, and run this again when the other build has ended.`,
  );
}

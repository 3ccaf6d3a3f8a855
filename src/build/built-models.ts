import type { Engine } from "../engines/engine.ts";
import { sqlTimestamp } from "../engines/sql-text.ts";
import { insertRows } from "../engines/statements.ts";
import { VenueError } from "../util/venue-error.ts";
import { withAttributeColumns } from "./attribute-columns.ts";
import { type BuildStep, planBuild } from "./build-step.ts";
import type { Workbench } from "./workbench.ts";

/**
 * Lists models that are new, or whose SQL changed since the last build, or that read such a model.
 * @param isFull treats every model as new. @default false
 */
export async function listChangedModels(
  engine: Engine,
  steps: readonly BuildStep[],
  isFull = false,
): Promise<string[]> {
  const built = await engine.all<{ model: string; sha256: string }>(
    "select model, sha256 from core.built_model",
  );
  const fingerprints = new Map(built.map(({ model, sha256 }) => [model, sha256]));
  return steps.flatMap((step) =>
    step.does === "model" && (isFull || fingerprints.get(step.name) !== step.fingerprint) ? [step.name] : [],
  );
}

export async function recordBuiltModels(
  engine: Engine,
  steps: readonly BuildStep[],
  builtAt: Date,
): Promise<void> {
  await engine.run("delete from core.built_model");
  const at = sqlTimestamp(builtAt);
  await insertRows(
    engine,
    "core.built_model",
    { model: "varchar", sha256: "varchar", built_at: "timestamp(6)" },
    steps.flatMap((step) => (step.does === "model" ? [[step.name, step.fingerprint, at]] : [])),
  );
}

/**
 * Asserts that this version of the program did the last build.
 * @throws {VenueError} `NOTHING_BUILT` before the first build
 * @throws {VenueError} `BUILT_OTHERWISE` if another version built it
 */
export async function assertBuilt({ engine, models }: Workbench): Promise<void> {
  if (!(await engine.find("select model from core.built_model limit 1"))) throw nothingBuiltError();
  const changed = await listChangedModels(engine, planBuild(await withAttributeColumns(engine, models)));
  if (changed.length > 0) throw builtOtherwiseError(changed);
}

function nothingBuiltError(): VenueError {
  return new VenueError("NOTHING_BUILT", "usage", "Nothing is built yet. Run `venue build` first.");
}

/** @param models models that this version builds differently, as `schema.table` */
function builtOtherwiseError(models: readonly string[]): VenueError {
  const [first = ""] = models;
  const others = models.length > 1 ? ` and ${models.length - 1} more` : "";
  return new VenueError(
    "BUILT_OTHERWISE",
    "usage",
    `The mart was built by another version of venue-analytics; this version builds ${first}${others} differently. Run \`venue build\` once, then check again.`,
  );
}

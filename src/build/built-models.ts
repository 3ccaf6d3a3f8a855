import type { Engine } from "../engines/engine.ts";
import { sqlTimestamp } from "../engines/sql-text.ts";
import { insertRows } from "../engines/statements.ts";
import { VenueError } from "../util/venue-error.ts";
import { type BuildStep, planBuild } from "./build-step.ts";
import type { Workbench } from "./workbench.ts";

/**
 * Models that are new, or whose text, or a source's text, is another than when they were built last.
 * @param isFull every model counts as new. @default false
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

/** Remembers that all models were built as they are now. */
export async function rememberModels(
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
 * Makes sure that what was built last is what this version of the program builds.
 * @throws {VenueError} `NOTHING_BUILT` before the first build
 * @throws {VenueError} `BUILT_OTHERWISE` when another version built it
 */
export async function requireBuilt({ engine, models }: Workbench): Promise<void> {
  if (!(await engine.find("select model from core.built_model limit 1"))) throw nothingBuiltError();
  const changed = await listChangedModels(engine, planBuild(models));
  if (changed.length > 0) throw builtOtherwiseError(changed);
}

/** There is no mart yet. */
function nothingBuiltError(): VenueError {
  return new VenueError("NOTHING_BUILT", "usage", "Nothing is built yet. Run `venue build` first.");
}

/**
 * The mart is not as this version of the program builds it.
 * @param models those that are built otherwise now, as `schema.table`
 */
function builtOtherwiseError(models: readonly string[]): VenueError {
  const [first = ""] = models;
  const others = models.length > 1 ? ` and ${models.length - 1} more` : "";
  return new VenueError(
    "BUILT_OTHERWISE",
    "usage",
    `Another version of venue-analytics built what is there: this one builds ${first}${others} otherwise. Run \`venue build\` once, and check again.`,
  );
}

import type { Engine } from "../../engines/engine.ts";
import { sqlTimestamp } from "../../engines/sql-text.ts";
import { VenueError } from "../../util/venue-error.ts";

/** Another build, from another data folder, may have begun meanwhile: then the branch is its own. */
export async function assertOwnBranch(engine: Engine, version: string, builtAt: Date): Promise<void> {
  const own = await engine.find(
    "select version from core.version where version = ? and built_at = cast(? as timestamp(6)) and published_at is null",
    [version, sqlTimestamp(builtAt)],
  );
  if (!own) throw new BuildOvertakenError(version);
}

/** Two builds at the same time on one branch: the later one goes on. */
class BuildOvertakenError extends VenueError {
  override readonly name = "BuildOvertakenError";
  readonly code = "BUILD_OVERTAKEN";
  readonly category = "busy";

  constructor(version: string) {
    super(
      `Another build has begun on the branch while ${version} was built: nothing of ${version} was shown. Let one machine build at a time, and run this again when the other build has ended.`,
    );
  }
}

import { VenueError } from "../util/venue-error.ts";

/** A cluster builds what lies in a lake. */
export class LakeNotNamedError extends VenueError {
  override readonly name = "LakeNotNamedError";
  readonly code = "LAKE_NOT_NAMED";
  readonly category = "usage";

  constructor() {
    super(
      "Trino builds what machines have published into a lake. Name its folder: venue build --engine trino --lake FOLDER.",
    );
  }
}

/** Every version that a cluster ever showed stays, so that none is lost. */
export class NothingToAcceptError extends VenueError {
  override readonly name = "NothingToAcceptError";
  readonly code = "NOTHING_TO_ACCEPT";
  readonly category = "usage";

  constructor() {
    super(
      "--accept-loss means nothing on Trino: former versions stay there (venue lake history). Run this again without it.",
    );
  }
}

/** A command that works on this machine alone. */
export class EngineError extends VenueError {
  override readonly name = "EngineError";
  readonly code = "ENGINE_UNSUITED";
  readonly category = "usage";

  constructor() {
    super(
      `venue run builds and reports on this machine; VENUE_ENGINE is trino. Run it with --engine duckdb, or run ` +
        "`venue sync`, `venue publish --layer core` and `venue build --engine trino` one after another.",
    );
  }
}

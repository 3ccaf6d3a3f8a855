import { VenueError } from "../util/venue-error.ts";

export function coreNotNamedError(): VenueError {
  return new VenueError(
    "CORE_NOT_NAMED",
    "usage",
    "Trino builds from what `venue publish --layer core` published. Specify the place: venue build --engine trino --from STORE, a folder or s3://bucket/prefix.",
  );
}

/**
 * Returns the error for `--accept-loss` on Trino. Trino keeps every published version, so no data can be lost.
 */
export function nothingToAcceptError(): VenueError {
  return new VenueError(
    "NOTHING_TO_ACCEPT",
    "usage",
    "--accept-loss has no effect on Trino: earlier versions stay available (venue status). Run this again without it.",
  );
}

export function engineError(): VenueError {
  return new VenueError(
    "ENGINE_UNSUITED",
    "usage",
    `venue run works only with DuckDB, but VENUE_ENGINE is trino. Run it with --engine duckdb, or run ` +
      "`venue sync`, `venue publish --layer core` and `venue build --engine trino --from STORE` one after another.",
  );
}

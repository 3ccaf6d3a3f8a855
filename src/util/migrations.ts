import { createHash } from "node:crypto";
import { listSql, readSql } from "./files/package-files.ts";
import { VenueError } from "./venue-error.ts";

/** One numbered step of a database's schema. Steps are only ever added, never edited. */
export interface Migration {
  /** File name, e.g. `0001_core.sql`. */
  name: string;
  sql: string;
  /** Hash of the file's text, which reveals edited or unknown steps. */
  sha256: string;
}

/** Lists the steps in a folder under `sql/`, ordered by number. */
export function listMigrations(folder: string): Migration[] {
  return listSql(folder)
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .map((name) => {
      const sql = readSql(`${folder}/${name}`);
      return { name, sql, sha256: createHash("sha256").update(sql).digest("hex") };
    });
}

/**
 * Returns the steps that were not yet applied to a database.
 * @throws {VenueError} `MIGRATION_MISMATCH` if the database has steps unknown to this version
 */
export function listPendingMigrations(
  database: string,
  known: readonly Migration[],
  applied: readonly Pick<Migration, "name" | "sha256">[],
): Migration[] {
  for (const { name, sha256 } of applied) {
    const migration = known.find((candidate) => candidate.name === name);
    if (migration?.sha256 !== sha256) throw migrationMismatchError(database, name, migration !== undefined);
  }
  return known.slice(applied.length);
}

const elsewhere = "another VENUE_DATA_DIR (for client.db another VENUE_HOME)";

/**
 * A database was written by a newer version of this program, or by an unreleased one.
 * @param isKnown true if this version has the step, but with a different text
 */
function migrationMismatchError(database: string, migration: string, isKnown: boolean): VenueError {
  return new VenueError(
    "MIGRATION_MISMATCH",
    "usage",
    isKnown
      ? `The schema step ${migration} in ${database} differs from this version of venue-analytics. It was written by a ` +
          `version that was never released: use that one, or ${elsewhere}.`
      : `${database} holds the schema step ${migration}, which this version of venue-analytics does not know. ` +
          `It was written by a newer version: install that one, or use ${elsewhere}.`,
  );
}

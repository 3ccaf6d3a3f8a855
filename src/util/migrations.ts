import { createHash } from "node:crypto";
import { listSql, readSql } from "./files/package-files.ts";
import { VenueError } from "./venue-error.ts";

/** One numbered step of a database's schema. Released steps are never edited. */
export interface Migration {
  /** File name, e.g. `0001_core.sql`. */
  name: string;
  sql: string;
  /** Hash of the file's text, for detecting edited or unknown steps. */
  sha256: string;
}

/** Lists the steps in a folder under `sql/`, ordered by number. The first steps are the schema of version 0.2.0. */
export function listMigrations(folder: string): Migration[] {
  return listSql(folder)
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .map((name) => {
      const sql = readSql(`${folder}/${name}`);
      return { name, sql, sha256: createHash("sha256").update(sql).digest("hex") };
    });
}

/**
 * Returns the steps that were not yet applied to a database. Its schema version is the number of the last applied
 * step. Files with the same number are applied together.
 * @throws {VenueError} `MIGRATION_MISMATCH` if this version cannot upgrade the database
 */
export function listPendingMigrations(
  database: string,
  known: readonly Migration[],
  applied: readonly Pick<Migration, "name" | "sha256">[],
): Migration[] {
  const last = applied.at(-1)?.name;
  if (last === undefined) return [...known];
  const edited = applied.find(({ name, sha256 }) =>
    known.some((step) => step.name === name && step.sha256 !== sha256),
  );
  const isKnown = known.some(({ name }) => numberOf(name) === numberOf(last));
  if (edited || !isKnown) throw migrationMismatchError(database, edited?.name ?? last, known);
  return known.filter(({ name }) => numberOf(name) > numberOf(last));
}

function numberOf(name: string): string {
  return name.slice(0, 4);
}

const elsewhere = "another VENUE_DATA_DIR (for client.db another VENUE_HOME)";

function migrationMismatchError(database: string, step: string, known: readonly Migration[]): VenueError {
  const [first, last] = [known.at(0), known.at(-1)].map((migration) => numberOf(migration?.name ?? ""));
  const explanation =
    numberOf(step) < String(first)
      ? "of a version before 0.2.0. Run `venue run` once with version 0.2.0, and then use this version."
      : numberOf(step) > String(last)
        ? `of a newer version of venue-analytics. Install that version, or use ${elsewhere}.`
        : `of a version that was never released. Use that version, or collect or load again into ${elsewhere}.`;
  return new VenueError(
    "MIGRATION_MISMATCH",
    "usage",
    `${database} has the schema step ${step}, ${explanation}`,
  );
}

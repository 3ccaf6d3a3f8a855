import type { Sqlite } from "../sqlite.ts";

/** A problem that a rule reports, from its beginning until its end was announced. Instants are ISO 8601 in UTC. */
export interface Incident {
  rule: string;
  /** The rule's condition and view. */
  definition: string;
  /** JSON of what it concerns; empty for a rule that always sends. */
  subject: string;
  /** The subject for readers. */
  label: string;
  openedAt: string;
  /** Last message about it; null: none yet. */
  announcedAt: string | null;
  /** Null while it goes on. */
  closedAt: string | null;
  closedBecause: string | null;
}

/** The incidents in `state.db`. */
export class Incidents {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  list(): Incident[] {
    return this.#database.all<Incident>(
      `select rule, definition, subject, label, opened_at as openedAt, announced_at as announcedAt,
        closed_at as closedAt, closed_because as closedBecause
      from incident order by rule, opened_at, subject`,
    );
  }

  /** Replaces all incidents. Call it in the transaction that adds the messages about them. */
  replaceAll(incidents: readonly Incident[]): void {
    this.#database.run("delete from incident");
    for (const one of incidents) {
      const { rule, definition, subject, label, openedAt, announcedAt, closedAt, closedBecause } = one;
      this.#database.run("insert into incident values (?, ?, ?, ?, ?, ?, ?, ?)", [
        rule,
        definition,
        subject,
        label,
        openedAt,
        announcedAt,
        closedAt,
        closedBecause,
      ]);
    }
  }
}

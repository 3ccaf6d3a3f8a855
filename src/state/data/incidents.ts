import type { Sqlite } from "../sqlite.ts";

/** A problem that a rule reports, kept until its end is announced. Instants are ISO 8601 in UTC. */
export interface Incident {
  rule: string;
  /** The rule's condition and view. */
  definition: string;
  /** JSON key of the affected campaign, zone, device or source; empty for a rule that always sends. */
  subject: string;
  /** The subject as shown to readers; the local date of its last data for a rule that always sends. */
  label: string;
  openedAt: string;
  /** When the last message about it was queued; null if it is not announced yet. */
  announcedAt: string | null;
  /** Null while it is ongoing. */
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

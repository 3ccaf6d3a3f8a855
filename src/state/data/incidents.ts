import type { Sqlite } from "../sqlite.ts";

/** The event that a message reports about an incident: its beginning, a reminder or its end. */
export type Change = "new" | "open" | "over";

/** A problem that a rule reports to a recipient, kept until its end is sent. Instants are ISO 8601 in UTC. */
export interface Incident {
  rule: string;
  /** The rule's condition and report. */
  definition: string;
  /** `mailto:ADDRESS` or `webhook:NAME`. */
  recipient: string;
  /** JSON key of the affected campaign, zone, device or source; empty for a rule that always sends. */
  entity: string;
  /** The entity as shown to readers; the local date of its last data for a rule that always sends. */
  label: string;
  /** Its start if the report contains one; otherwise the time at which a run noticed it. */
  openedAt: string;
  /** Time at which the last message about it was written; null if none has been sent. */
  announcedAt: string | null;
  /** Null while it is ongoing. */
  closedAt: string | null;
  /** The waiting message that mentions it, and the change that the message reports. */
  messageId: string | null;
  change: Change | null;
}

const columns = {
  rule: "rule",
  definition: "definition",
  recipient: "recipient",
  entity: "entity",
  label: "label",
  openedAt: "opened_at",
  announcedAt: "announced_at",
  closedAt: "closed_at",
  messageId: "message_id",
  change: "change",
} satisfies Record<keyof Incident, string>;
const fields = Object.keys(columns) as (keyof Incident)[];

/** The incidents in `state.db`. */
export class Incidents {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  list(): Incident[] {
    const selected = fields.map((field) => `${columns[field]} as "${field}"`).join();
    return this.#database.all<Incident & Record<string, string | null>>(
      `select ${selected} from incident order by rule, recipient, opened_at, entity`,
    );
  }

  /** Replaces all incidents. Call it in the transaction that stores the messages about them. */
  replaceAll(incidents: readonly Incident[]): void {
    this.#database.run("delete from incident");
    const insert = `insert into incident (${Object.values(columns).join()}) values (${fields.map(() => "?").join()})`;
    for (const incident of incidents)
      this.#database.run(
        insert,
        fields.map((field) => incident[field]),
      );
  }
}

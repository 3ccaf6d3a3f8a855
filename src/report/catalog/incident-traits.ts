/** Traits by which notification rules identify the entity of a row, and detect rows with too little data. */
export interface IncidentTraits {
  /** Columns that identify an entity, in addition to the `--by` columns other than dates. */
  key?: readonly string[];
  /**
   * Names of the entity and its state in messages, e.g. `device` and `down`. @default the dimension of `--by`, and the
   * state of `--only`
   */
  subject?: { noun: string; state?: string };
  /**
   * Columns with an incident's start, and with its length as of the last check. `of` lists the states or the compared
   * columns to which they apply. @default all rows
   */
  span?: { start: string; seconds: string; of?: readonly string[] };
  /** `VENUE_FRESHNESS` topics whose data must not be older than allowed. */
  sources?: readonly string[];
  /** True if the period must be collected completely. @default false */
  needsWholePeriod?: boolean;
  /** Measures that are blank if there is nothing to report. @default a blank measure is unknown */
  blankIsNone?: readonly string[];
  /** Location of an entity's last check, with its state at that time. */
  checks?: {
    /** A table with `last_seen_at` and `state` by the key columns. */
    table: string;
    /** Topic of `VENUE_FRESHNESS`. */
    topic: string;
    /** The state in the report that does not depend on the last check. */
    otherState: string;
  };
}

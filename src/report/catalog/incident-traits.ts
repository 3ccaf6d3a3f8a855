/** Traits by which notification rules identify the entity of a row, and detect rows with too little data. */
export interface IncidentTraits {
  /** Columns that identify an entity, in addition to the `--by` columns other than dates. */
  key?: readonly string[];
  /**
   * What messages call the entity and its state, e.g. `device` and `down`. @default the dimension of `--by`, and the
   * state of `--only`
   */
  subject?: { noun: string; state?: string };
  /**
   * Columns with an incident's start and its length as of the last check. `of` limits them to rows in one of these
   * states, or rules that compare one of these columns. @default all rows
   */
  span?: { start: string; seconds: string; of?: readonly string[] };
  /** `VENUE_FRESHNESS` topics whose data must not be older than allowed. */
  sources?: readonly string[];
  /** True if the period must be collected completely. @default false */
  needsWholePeriod?: boolean;
  /** Measures that are blank if there is nothing to report. @default a blank measure is unknown */
  blankIsNone?: readonly string[];
  /** Where to find the last check of an entity and its state then. */
  checks?: {
    /** A table with `last_seen_at` and `state` by the key columns. */
    table: string;
    /** Topic of `VENUE_FRESHNESS`. */
    topic: string;
    /** The state in the report that does not depend on the last check. */
    otherState: string;
  };
}

/** How notification rules identify what a report's rows are about, and which rows have too little data. */
export interface IncidentTraits {
  /** Columns that identify an entity, besides those of `--by` other than dates. */
  key?: readonly string[];
  /** An entity, and what its rows report of it, e.g. `device` and `down`. @default the word of `--by`, and of `--only` */
  subject?: { noun: string; state?: string };
  /**
   * Columns with an incident's start, and with its length as of the last check, for rows in one of these states, or
   * rules that compare one of these columns. @default for all
   */
  span?: { start: string; seconds: string; of?: readonly string[] };
  /** Topics of `VENUE_FRESHNESS` that must not be older than allowed. */
  sources?: readonly string[];
  /** True if the period must be collected completely. @default false */
  needsWholePeriod?: boolean;
  /** Figures that are blank where there is nothing to report. @default a blank figure is unknown */
  blankIsNone?: readonly string[];
  /** Where to find when and in which state entities were checked last. */
  checks?: {
    /** Has `last_seen_at` and `state` by the columns of the key. */
    table: string;
    /** Topic of `VENUE_FRESHNESS`. */
    topic: string;
    /** The state in the report that does not depend on the last check. */
    otherState: string;
  };
}

import type { Settings } from "../../../config/settings.ts";

/** Result of a rule on one published version. Subjects are JSON keys; see `RowReader`. */
export interface Evaluation {
  title: string;
  /** The view's answer. */
  verdict: string;
  /** The report's notes, e.g. which sources are missing. */
  notes: readonly string[];
  /** Labels of the rows' cells. */
  columns: readonly string[];
  /** Rows that can be judged and meet the condition, most urgent first; with `always`, the view's first rows. */
  matching: ReadonlyMap<string, ShownRow>;
  /** Number of all rows in the view; used only with `always`. */
  rowCount: number;
  /** Subjects that can be judged and do not meet the condition. */
  clear: ReadonlySet<string>;
  /** Subjects with too little data to be judged. */
  unknown: ReadonlySet<string>;
  /** Subjects that meet the condition, but that the view's `top` leaves out. */
  pushedOff: ReadonlySet<string>;
  /** Set if the data is too old or incomplete to judge any subject: the reason, as a sentence. */
  suspended?: string;
  /** `YYYY-MM-DDTHH:MM:SSZ`; null if unknown. */
  dataAsOf: string | null;
}

export interface ShownRow {
  label: string;
  cells: readonly string[];
}

/** Maximum rows of one table in a message. */
export const maxRows = 20;

export interface EvaluateOptions {
  settings: Settings;
  now: Date;
}

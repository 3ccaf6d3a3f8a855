import type { Chart } from "./charts/chart.ts";

/** What an HTML page says beyond its report's rows. Made by a file in `pages/`, one per report. */
export interface ReportPage {
  /** What it is about, by name, where that is one thing. @default the report's title */
  heading?: string | undefined;
  /** The answer, in one or two plain sentences. */
  headline: string;
  /** How much of what was asked for is known, in words; always in sight. Absent where that is no question. */
  coverage?: string;
  /** The figures that matter most, by the names that headers of `sql/reports/` define. */
  facts: readonly Fact[];
  /** In the order of reading. */
  charts: readonly Chart[];
  /** Before the rows, of which it tells the sorts. */
  breakdown?: Breakdown | undefined;
  /** Where values of its rows lead that need more than their row. @default where all others do */
  hrefOf?(column: string, row: readonly unknown[]): string | undefined;
}

/** Sorts of rows, with what each means. */
export interface Breakdown {
  title: string;
  /** What holds for all of them. */
  text: string;
  /** Of the name, the count and the meaning. */
  headings: readonly [string, string, string];
  rows: readonly { name: string; href?: string | undefined; value: string; text: string }[];
}

export interface Fact {
  /** Name in the header of one of the report's files, which has its label and definition. */
  figure: string;
  /** As people read it. */
  value: string;
  /** What is behind it. */
  href?: string | undefined;
  /** What it is to be compared with. */
  note?: string;
}

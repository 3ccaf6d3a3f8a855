import type { ReportValue } from "../result-types.ts";
import type { RowState } from "../row-states.ts";
import type { Chart } from "./charts/chart.ts";
import type { PageSources, Row } from "./page-sources.ts";

/** Content of a report's HTML page other than its rows. */
export interface ReportPage {
  /** Name of the page's only entity. @default the report's title */
  heading?: string | undefined;
  /** The answer, in one or two sentences. */
  headline: string;
  /** Coverage in words, always visible; absent if it does not apply. */
  coverage?: string;
  /** Key numbers, by their names in the catalog. */
  facts: readonly Fact[];
  charts: readonly Chart[];
  /** Classification of the rows, shown before them. */
  breakdown?: Breakdown | undefined;
  /** Returns drill-downs of this report, which take precedence over the common ones. */
  hrefOf?(column: string, row: readonly unknown[]): string | undefined;
}

export interface Breakdown {
  title: string;
  text: string;
  headings: readonly [string, string, string];
  rows: readonly { name: string; href?: string | undefined; value: string; text: string }[];
}

export interface Fact {
  /** Name of a measure that the report defines. */
  figure: string;
  /** Formatted for readers. */
  value: string;
  href?: string | undefined;
  /** Unit or basis of the value. */
  note?: string;
}

/** Declares a report's page. `describePage` reads what it needs. */
export interface PageDeclaration extends Pick<ReportPage, "heading" | "hrefOf"> {
  /** Reads the values that the other parts use. @default the report's total */
  total?: (sources: PageSources) => Promise<Row>;
  /** Returns a reason if nothing is known. It replaces the headline and the key numbers. @default always known */
  explain?: (page: TotalledPage) => Promise<string | undefined>;
  headline: (page: TotalledPage) => string | Promise<string>;
  coverage?: (page: TotalledPage) => string | Promise<string>;
  facts: readonly FactDeclaration[];
  charts: readonly ReadCharts[];
  breakdown?: (page: TotalledPage) => Promise<Breakdown | undefined>;
}

/** Sources of a page, with its total. */
export interface TotalledPage extends PageSources {
  total: Row;
  /** Returns a value of the total; 0 if it is unknown. */
  count(name: string): number;
  /** The period for a sentence, with the part that the data covers completely. */
  when: string;
}

/** Reads and describes charts; returns an empty list if there is nothing to draw. */
export type ReadCharts = (page: TotalledPage) => Promise<Chart[]>;

/** A key number from the total, formatted according to its unit. */
export interface FactDeclaration {
  figure: string;
  /** @default the total's value of this name */
  amountOf?: (page: TotalledPage) => ReportValue;
  /** Replaces the formatted value. */
  textOf?: (page: TotalledPage) => string | undefined;
  note?: (page: TotalledPage) => string | undefined | Promise<string | undefined>;
  /** Links to the rows in a state, unless the value is 0. */
  rows?: { state: RowState; by: readonly string[] };
  /** @default no link */
  href?: (page: TotalledPage) => string | undefined;
  /** @default always */
  isShown?: (page: TotalledPage) => boolean | Promise<boolean>;
}

import type { ColumnDefinition } from "../../mart/column-definition.ts";
import type { CustomFile } from "../../mart/custom/custom-file.ts";
import type { ReportName } from "../report-name.ts";

/** Relations of the request that a custom report may join: see `custom-statement.ts`. */
export const customRelations = ["chosen_campaign", "chosen_zone", "chosen_zone_day", "period"] as const;
export type CustomRelation = (typeof customRelations)[number];

/** A custom report; `template.ts` shows the form of its file. */
export interface CustomReport extends CustomFile {
  title: string;
  /** One or two sentences. */
  summary: string;
  /** Relations found in its text or, when it runs, by the parser. */
  reads: readonly CustomRelation[];
  /** Tables and relations that its parsed select reads. @default unknown until it runs */
  tables?: readonly string[];
  /** Definitions in its header; columns with known names need no definition. */
  columns: readonly ColumnDefinition[];
  /** The page's answer with placeholders: `{count}` for rows, and `{sum:plays}`, `{min:date}` or `{max:date}`. @default the summary */
  headline?: string;
  /** Columns of a ranking on its page. @default by the columns' types */
  ranking?: CustomRanking;
  /** Drill-down by column; values may have placeholders such as `{zone_id}`. */
  links: ReadonlyMap<string, CustomLink>;
}

export interface CustomRanking {
  value: string;
  label: string;
}

/** Lists the placeholders of a headline; `column` is absent for `{count}`. */
export function listPlaceholders(headline: string): { text: string; is: string; column?: string }[] {
  return Array.from(
    headline.matchAll(/\{(?:count|(sum|min|max):(\w+))\}/g),
    ([text, is = "count", column]) => ({
      ...{ text, is },
      ...(column !== undefined && { column }),
    }),
  );
}

export interface CustomLink {
  view: ReportName;
  words: Readonly<Record<string, string>>;
}

/** Returns true if the report accepts `--from` and `--to`. */
export function isOfPeriod({ reads }: CustomReport): boolean {
  return reads.includes("period") || reads.includes("chosen_zone_day");
}

/** Returns true if the report accepts `--zone`, `--location` and `--group`. */
export function isOfPlaces({ reads }: CustomReport): boolean {
  return reads.includes("chosen_zone") || reads.includes("chosen_zone_day");
}

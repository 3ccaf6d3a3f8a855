import type { ColumnDefinition } from "../../mart/column-definition.ts";
import type { OwnFile } from "../../mart/own/own-file.ts";
import type { ReportName } from "../report-name.ts";

/** Relations of the request that an own report may join: see `own-statement.ts`. */
export const ownRelations = ["chosen_campaign", "chosen_zone", "chosen_zone_day", "period"] as const;
export type OwnRelation = (typeof ownRelations)[number];

/** A report from a user's file; see `template.ts` for the form. */
export interface OwnReport extends OwnFile {
  title: string;
  /** One or two sentences. */
  summary: string;
  /** As found in its text; once it runs, as parsed. */
  reads: readonly OwnRelation[];
  /** Tables and relations that its parsed select reads. @default unknown until it runs */
  tables?: readonly string[];
  /** Definitions in its header; columns with known names need none. */
  columns: readonly ColumnDefinition[];
  /** The page's answer with placeholders: `{count}` for rows, and `{sum:plays}`, `{min:date}` or `{max:date}`. @default the summary */
  headline?: string;
  /** Columns of a ranking on its page. @default chosen by the columns' types */
  ranking?: OwnRanking;
  /** Drill-down by column; values may have placeholders such as `{zone_id}`. */
  links: ReadonlyMap<string, OwnLink>;
}

export interface OwnRanking {
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

export interface OwnLink {
  view: ReportName;
  words: Readonly<Record<string, string>>;
}

/** Returns true if it takes `--from` and `--to`. */
export function isOfPeriod({ reads }: OwnReport): boolean {
  return reads.includes("period") || reads.includes("chosen_zone_day");
}

/** Returns true if it takes `--zone`, `--location` and `--group`. */
export function isOfPlaces({ reads }: OwnReport): boolean {
  return reads.includes("chosen_zone") || reads.includes("chosen_zone_day");
}

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
  /** Drill-down by column; values may have placeholders such as `{zone_id}`. */
  links: ReadonlyMap<string, OwnLink>;
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

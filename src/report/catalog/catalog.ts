import type { CatalogReport } from "./aggregate-report.ts";
import { campaignPlays } from "./campaign-plays.ts";
import { compliance } from "./compliance.ts";
import { daypartPlays } from "./daypart-plays.ts";
import { delivery } from "./delivery.ts";
import { plays } from "./plays.ts";
import { schedule } from "./schedule.ts";
import { scheduledDays } from "./scheduled-days.ts";
import { uptime } from "./uptime.ts";

/** Reports whose statements are compiled, keyed by what `chooseReportFile` returns. */
const catalog: Readonly<Record<string, CatalogReport>> = {
  plays,
  plays_by_campaign: campaignPlays,
  plays_by_daypart: daypartPlays,
  compliance,
  uptime,
  delivery,
  schedule,
  scheduled_days: scheduledDays,
};

export function findReport(file: string): CatalogReport | undefined {
  return Object.hasOwn(catalog, file) ? catalog[file] : undefined;
}

export function listReports(): [name: string, report: CatalogReport][] {
  return Object.entries(catalog);
}

/** Lists the names of columns and of words of `--by`. */
export function listUsedNames(): string[] {
  return Object.values(catalog).flatMap(({ dimensions, measures }) => [
    ...Object.entries(dimensions).flatMap(([word, { columns }]) => [word, ...Object.keys(columns)]),
    ...Object.keys(measures),
  ]);
}

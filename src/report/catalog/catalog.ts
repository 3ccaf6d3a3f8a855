import type { CatalogReport } from "./aggregate-report.ts";
import { campaignPlays } from "./campaign-plays.ts";
import { compliance } from "./compliance.ts";
import { daypartPlays } from "./daypart-plays.ts";
import { delivery } from "./delivery.ts";
import { devices } from "./devices.ts";
import type { ListReport, SectionReport } from "./list-report.ts";
import { loads, rejects } from "./loads.ts";
import { outages } from "./outages.ts";
import { plays } from "./plays.ts";
import { proofLists } from "./proof.ts";
import { quality } from "./quality.ts";
import { schedule } from "./schedule.ts";
import { scheduledDays } from "./scheduled-days.ts";
import { silences } from "./silences.ts";
import { countedPlays, singlePlays } from "./single-plays.ts";
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
  counted_plays: countedPlays,
};

const lists: Readonly<Record<string, ListReport>> = {
  outages,
  devices,
  silences,
  single_plays: singlePlays,
  loads,
  rejects,
  ...proofLists,
};

const sections: Readonly<Record<string, SectionReport>> = { quality };

export function findReport(file: string): CatalogReport | undefined {
  return Object.hasOwn(catalog, file) ? catalog[file] : undefined;
}

export function findList(file: string): ListReport | undefined {
  return Object.hasOwn(lists, file) ? lists[file] : undefined;
}

export function findSections(file: string): SectionReport | undefined {
  return Object.hasOwn(sections, file) ? sections[file] : undefined;
}

export function listReports(): [name: string, report: CatalogReport][] {
  return Object.entries(catalog);
}

export function listLists(): [name: string, list: ListReport][] {
  return Object.entries(lists);
}

export function listSections(): [name: string, report: SectionReport][] {
  return Object.entries(sections);
}

/** Lists the names of columns, of words of `--by`, and of figures that pages derive. */
export function listUsedNames(): string[] {
  const ofReports = Object.values(catalog).flatMap(({ dimensions, measures }) => [
    ...Object.entries(dimensions).flatMap(([word, { columns }]) => [word, ...Object.keys(columns)]),
    ...Object.keys(measures),
  ]);
  const ofLists = Object.values({ ...lists, ...sections }).flatMap(({ columns, facts = {} }) => [
    ...Object.keys(columns),
    ...Object.keys(facts),
  ]);
  return [...ofReports, ...ofLists];
}

import { contentKinds } from "../../util/kind.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { ReportName } from "../report-name.ts";
import { instantText } from "../text/cell-text.ts";
import { countOf } from "../text/readable-text.ts";

type GetAsOf = (mart: PublishedMart, options: ReportOptions) => Promise<string | null>;

const asOf: Readonly<Record<ReportName, GetAsOf>> = {
  plays: getDataAsOf,
  compliance: getComplianceAsOf,
  uptime: (mart, options) => getDevicesAsOf(mart, options, { history: true, notices: true }),
  outages: (mart, options) => getDevicesAsOf(mart, options, { history: false, notices: true }),
  devices: (mart, options) => getDevicesAsOf(mart, options, { history: true, notices: false }),
  quality: async (mart) => mart.dataAsOf,
  "single-plays": getDataAsOf,
  loads: async (mart) => mart.dataAsOf,
  rejects: async (mart) => mart.dataAsOf,
  own: async (mart) => mart.dataAsOf,
};

/** Returns a report's data as of, as `YYYY-MM-DDTHH:MM:SSZ`; `null` if unknown. */
export async function getReportAsOf(mart: PublishedMart, options: ReportOptions): Promise<string | null> {
  return await asOf[options.report](mart, options);
}

async function getComplianceAsOf(
  mart: PublishedMart,
  { groupIds, kinds }: Pick<ReportOptions, "groupIds" | "kinds">,
): Promise<string | null> {
  const read = contentKinds.filter((kind) => kinds.length === 0 || kinds.includes(kind));
  const plays = await getDataAsOf(mart, { groupIds, kinds: read });
  const [listed] = await mart.all<{ campaigns_as_of: string | null }>(
    ...reportStatement("campaigns_as_of", { groupIds, kinds: read }),
  );
  const instants = [plays, listed?.campaigns_as_of ? instantText(listed.campaigns_as_of) : null];
  return instants.filter((instant) => instant !== null).sort()[0] ?? null;
}

interface AlsoRead {
  history: boolean;
  notices: boolean;
}

export async function getDevicesAsOf(
  mart: PublishedMart,
  { groupIds }: Pick<ReportOptions, "groupIds">,
  { history, notices }: AlsoRead,
): Promise<string | null> {
  const [row] = await mart.all<{ devices_as_of: string | null; notices_as_of: string | null }>(
    ...reportStatement("devices_as_of", { groupIds }),
  );
  const instants = [
    row?.devices_as_of ? instantText(row.devices_as_of) : null,
    notices && row?.notices_as_of ? instantText(row.notices_as_of) : null,
    history ? await getDataAsOf(mart, { groupIds, kinds: [] }) : null,
  ];
  return instants.filter((instant) => instant !== null).sort()[0] ?? null;
}

/** Returns data as of for the chosen groups and kinds; `null` if never collected completely. */
export async function getDataAsOf(
  mart: PublishedMart,
  { groupIds, kinds }: Pick<ReportOptions, "groupIds" | "kinds">,
): Promise<string | null> {
  if (groupIds.length === 0 && kinds.length === 0) return mart.dataAsOf;
  const [row] = await mart.all<{ data_as_of: string | null }>(
    ...reportStatement("data_as_of", { groupIds, kinds }),
  );
  return row?.data_as_of ? instantText(row.data_as_of) : null;
}

/** Data that is collected every morning is older than this only if a morning was missed. */
export const freshHours = 30;

/** Whole hours since an instant; 0 if it is in the future. */
export function hoursSince(instant: string, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - Date.parse(instant)) / 3_600_000));
}

export function isStale(instant: string, now: Date): boolean {
  return hoursSince(instant, now) > freshHours;
}

/** E.g. `less than an hour`, `31 hours`, `60 days`. */
export function ageText(hours: number): string {
  if (hours === 0) return "less than an hour";
  return hours < 48 ? countOf(hours, "hour") : countOf(Math.floor(hours / 24), "day");
}

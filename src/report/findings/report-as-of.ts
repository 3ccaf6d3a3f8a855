import type { ReportOptions } from "../options/report-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { ReportName } from "../report-name.ts";
import { getComplianceAsOf } from "./compliance-as-of.ts";
import { getDataAsOf } from "./data-as-of.ts";
import { getDevicesAsOf } from "./devices-as-of.ts";

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
};

/**
 * As of when a report is: the oldest, over the sources that it reads, of the newest complete request, as
 * `YYYY-MM-DDTHH:MM:SSZ`; `null` when unknown.
 */
export async function getReportAsOf(mart: PublishedMart, options: ReportOptions): Promise<string | null> {
  return await asOf[options.report](mart, options);
}

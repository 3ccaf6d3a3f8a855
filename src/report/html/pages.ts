import type { ReportName } from "../report-name.ts";
import type { PageSources } from "./page-sources.ts";
import type { ReportPage } from "./report-page.ts";

type DescribePage = (sources: PageSources) => Promise<ReportPage>;

/** What the pages say, by report; a new one is an entry here and the file that it loads. */
const pages: Readonly<Record<ReportName, () => Promise<DescribePage>>> = {
  plays: async () => (await import("./pages/plays-page.ts")).describePlays,
  compliance: async () => (await import("./pages/compliance-page.ts")).describeCompliance,
  uptime: async () => (await import("./pages/uptime-page.ts")).describeUptime,
  outages: async () => (await import("./pages/outages-page.ts")).describeOutages,
  devices: async () => (await import("./pages/devices-page.ts")).describeDevices,
  "single-plays": async () => (await import("./pages/single-plays-page.ts")).describeSinglePlays,
  loads: async () => (await import("./pages/loads-page.ts")).describeLoads,
  rejects: async () => (await import("./pages/rejects-page.ts")).describeRejects,
  quality: async () => (await import("./pages/quality-page.ts")).describeQuality,
};

export async function loadPage(report: ReportName): Promise<DescribePage> {
  return await pages[report]();
}

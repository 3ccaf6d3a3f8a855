import type { ReportEntry } from "./report-entry.ts";

/**
 * All reports, in the order of `--help`; each is loaded only when it is requested. To add one, add its entry here.
 */
export const entryLoaders = {
  plays: async () => (await import("./plays.ts")).plays,
  compliance: async () => (await import("./compliance.ts")).compliance,
  schedule: async () => (await import("./schedule.ts")).schedule,
  delivery: async () => (await import("./delivery.ts")).delivery,
  impressions: async () => (await import("./impressions.ts")).impressions,
  stores: async () => (await import("./stores.ts")).stores,
  uptime: async () => (await import("./uptime.ts")).uptime,
  outages: async () => (await import("./outages.ts")).outages,
  devices: async () => (await import("./devices.ts")).devices,
  quality: async () => (await import("./quality.ts")).quality,
  silences: async () => (await import("./silences.ts")).silences,
  repeats: async () => (await import("./repeats.ts")).repeats,
  "single-plays": async () => (await import("./single-plays.ts")).singlePlays,
  loads: async () => (await import("./loads.ts")).loads,
  rejects: async () => (await import("./loads.ts")).rejects,
} satisfies Record<string, () => Promise<ReportEntry>>;

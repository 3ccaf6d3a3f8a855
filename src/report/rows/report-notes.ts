import type { RequestContext } from "../request-context.ts";

type FindNotes = (context: RequestContext) => Promise<string[]>;

/** Notes by their names in the catalog. To add one, add an entry here and the function that it loads. */
const notes: Readonly<Record<string, FindNotes>> = {
  "other-period": async ({ mart, days }) => (await playNotes()).noteOtherPeriod(mart, days.period),
  dayparts: async ({ mart, options, days }) => (await playNotes()).noteDayparts(mart, options, days),
  "outside-hours": async ({ mart, options }) =>
    options.onlyStates === undefined ? [] : (await playNotes()).noteOutsideHours(mart),
  "divided-plays": async ({ options }) => (await playNotes()).noteDividedPlays(options),
  impressions: async ({ mart }) => (await playNotes()).noteImpressions(mart),
  "learnt-hours": async ({ mart }) => (await playNotes()).noteLearntHours(mart),
  "store-status": async () => [`Status: ${(await import("../catalog/stores.ts")).statusRule}`],
  compliance: async ({ mart, options, days }) =>
    (await import("../findings/compliance-notes.ts")).noteCompliance(mart, options, days.period),
  "few-checks": async ({ mart, options, days }) =>
    (await deviceChecks()).noteTooFewChecks(mart, options, days.period),
  "no-devices": async ({ mart, options }) => (await deviceChecks()).noteNoDevices(mart, options),
  outages: async ({ mart, options, days }) => (await deviceChecks()).noteOutages(mart, options, days),
  "planned-notices": async ({ mart, options, days }) => {
    const { listPlannedNotices, notePlannedNotices } = await import("../findings/planned-notices.ts");
    return notePlannedNotices(await listPlannedNotices(mart, options, days.period));
  },
  "device-states": async ({ mart, options, now }) =>
    (await import("../findings/device-states.ts")).noteDeviceStates(mart, options, now),
  "unlisted-campaigns": async ({ mart }) => (await deliveryNotes()).noteUnlisted(mart),
  "booked-impressions": async ({ mart }) => (await deliveryNotes()).noteBookedImpressions(mart),
  "early-lines": async ({ mart }) => (await deliveryNotes()).noteEarlyLines(mart),
};

const playNotes = () => import("../findings/play-notes.ts");
const deviceChecks = () => import("../findings/device-checks.ts");
const deliveryNotes = () => import("../findings/delivery-notes.ts");

/** Collects the listed notes one by one, in order. */
export async function listNotes(names: readonly string[], context: RequestContext): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) found.push(...((await notes[name]?.(context)) ?? []));
  return found;
}

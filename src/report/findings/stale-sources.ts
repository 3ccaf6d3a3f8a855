import { buildStatement } from "../options/build-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { formatInstant } from "../text/cell-text.ts";

/** Allowed hours since the last collection, by topic as in `VENUE_FRESHNESS`. */
export type FreshnessLimits = Readonly<Partial<Record<string, number>>>;

export interface StaleSource {
  topic: string;
  /** `YYYY-MM-DDTHH:MM:SSZ` */
  asOf: string;
  limitHours: number;
}

/** Topics by source type of `sql/reports/sources.sql`. Files are loaded by hand, so they have no limit. */
const topics: Readonly<Record<string, string>> = {
  export: "history",
  walk: "history",
  notices: "status",
  components: "status",
};

/** Lists topics with a source whose latest response is older than the limit, in the order of the limits. */
export async function findStaleSources(
  mart: PublishedMart,
  now: Date,
  limits: FreshnessLimits,
): Promise<StaleSource[]> {
  const rows = await mart.all<{ source: string; requested_at: string | null }>(
    ...buildStatement("sources", {}),
  );
  return Object.entries(limits).flatMap(([topic, limitHours = 0]) => {
    const instants = rows
      .filter(({ source, requested_at }) => (topics[source] ?? source) === topic && requested_at !== null)
      .map(({ requested_at }) => formatInstant(requested_at ?? ""));
    const [asOf] = instants.sort();
    const isLate = asOf !== undefined && now.getTime() - Date.parse(asOf) > limitHours * 3_600_000;
    return isLate ? [{ topic, asOf, limitHours }] : [];
  });
}

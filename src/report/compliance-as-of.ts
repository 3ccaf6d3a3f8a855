import { getDataAsOf } from "./data-as-of.ts";
import type { PublishedMart } from "./published-mart.ts";
import { listParameter } from "./report-filters.ts";
import type { ReportOptions } from "./report-options.ts";
import { instantText } from "./time-text.ts";

const contentKinds = ["signage", "messaging"] as const;

/** As of when compliance is: the older of the plays' instant, and of the newest listings of campaigns. */
export async function getComplianceAsOf(
  mart: PublishedMart,
  { groupIds, kinds }: Pick<ReportOptions, "groupIds" | "kinds">,
): Promise<string | null> {
  const read = contentKinds.filter((kind) => kinds.length === 0 || kinds.includes(kind));
  const plays = await getDataAsOf(mart, { groupIds, kinds: read });
  const [listed] = await mart.all<{ seen_at: string | null }>(
    `select min(seen_at) as seen_at from (
      select kind, max(last_seen_at) as seen_at
      from dim_campaign where position(',' || kind || ',' in cast(? as varchar)) > 0 group by kind
    ) as newest`,
    [listParameter(read)],
  );
  const instants = [plays, listed?.seen_at ? instantText(listed.seen_at) : null];
  return instants.filter((instant) => instant !== null).sort()[0] ?? null;
}

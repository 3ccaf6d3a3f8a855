import { contentKinds } from "../../util/kind.ts";
import { selectGroupZones, selectKinds } from "../catalog/chosen.ts";
import type { ListQuery } from "../compile/request.ts";
import { int, isIn, type Sql, sql, toStatement } from "../compile/sql.ts";
import { toListQuery } from "../options/build-statement.ts";
import type { ReportOptions } from "../options/request-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { formatInstant } from "../text/cell-text.ts";
import { formatQuantity } from "../text/readable-text.ts";

/** Returns the "data as of" instant of a report, `YYYY-MM-DDTHH:MM:SSZ`; `null` if unknown. */
export async function getReportAsOf(mart: PublishedMart, options: ReportOptions): Promise<string | null> {
  const { dataOf, isOfContent = false } = options.entry;
  if (dataOf === undefined) return mart.dataAsOf;
  const [history, notices] = [dataOf.includes("history"), dataOf.includes("notices")];
  if (dataOf.includes("devices")) return await getDevicesAsOf(mart, options, { history, notices });
  const { groupIds } = options;
  const kinds = isOfContent
    ? contentKinds.filter((kind) => options.kinds.length === 0 || options.kinds.includes(kind))
    : options.kinds;
  return findEarliest([
    history ? await getDataAsOf(mart, { groupIds, kinds }) : null,
    dataOf.includes("campaigns") ? await getCampaignsAsOf(mart, { groupIds, kinds }) : null,
  ]);
}

function findEarliest(instants: readonly (string | null)[]): string | null {
  return instants.filter((instant) => instant !== null).sort()[0] ?? null;
}

async function getCampaignsAsOf(
  mart: PublishedMart,
  { groupIds, kinds }: Pick<ReportOptions, "groupIds" | "kinds">,
): Promise<string | null> {
  const [listed] = await mart.all<{ campaigns_as_of: string | null }>(
    ...toStatement(selectCampaignsAsOf(toListQuery({ groupIds, kinds }))),
  );
  return listed?.campaigns_as_of ? formatInstant(listed.campaigns_as_of) : null;
}

/** Selects the oldest of the latest campaign listings per group and kind. A zone's listing is used for its groups. */
function selectCampaignsAsOf(query: ListQuery): Sql {
  return sql`select min(requested_at) as campaigns_as_of
from (
    select s.kind, coalesce(s.group_id, b.group_id) as group_id, max(s.requested_at) as requested_at
    from fact_snapshot as s
    left join bridge_group_zone as b on b.zone_id = s.zone_id
    where
        s.source = 'campaigns'
        and s.kind in (${selectKinds(query)})
        and coalesce(s.group_id, b.group_id) in (select group_id from (${selectGroupZones(query)}) as g)
    group by s.kind, coalesce(s.group_id, b.group_id)
) as newest`;
}

/** Selects the oldest of the groups' latest device listings, and the latest response of the status API. */
function selectDevicesAsOf(query: ListQuery): Sql {
  return sql`select
    min(newest.requested_at) as devices_as_of,
    min(s.requested_at) as notices_as_of
from (
    select max(requested_at) as requested_at
    from fact_snapshot
    where source = 'devices' and group_id in (select group_id from (${selectGroupZones(query)}) as g)
    group by group_id
) as newest
cross join (select max(requested_at) as requested_at from fact_snapshot where source = 'notices') as s`;
}

interface FurtherSources {
  history: boolean;
  notices: boolean;
}

export async function getDevicesAsOf(
  mart: PublishedMart,
  { groupIds }: Pick<ReportOptions, "groupIds">,
  { history, notices }: FurtherSources,
): Promise<string | null> {
  const [row] = await mart.all<{ devices_as_of: string | null; notices_as_of: string | null }>(
    ...toStatement(selectDevicesAsOf(toListQuery({ groupIds }))),
  );
  return findEarliest([
    row?.devices_as_of ? formatInstant(row.devices_as_of) : null,
    notices && row?.notices_as_of ? formatInstant(row.notices_as_of) : null,
    history ? await getDataAsOf(mart, { groupIds, kinds: [] }) : null,
  ]);
}

/**
 * Returns the "data as of" instant of history for the requested groups and kinds; `null` if never collected completely.
 */
async function getDataAsOf(
  mart: PublishedMart,
  { groupIds, kinds }: Pick<ReportOptions, "groupIds" | "kinds">,
): Promise<string | null> {
  if (groupIds.length === 0 && kinds.length === 0) return mart.dataAsOf;
  const query = toListQuery({ groupIds, kinds });
  const { group } = query.where ?? {};
  const ofGroup = group ? sql`(f.group_id is null or ${isIn(sql`f.group_id`, group, int)})` : sql`true`;
  const [row] = await mart.all<{ data_as_of: string | null }>(
    ...toStatement(sql`select min(f.requested_at) as data_as_of
from fact_freshness as f
where ${ofGroup} and f.kind in (${selectKinds(query)})`),
  );
  return row?.data_as_of ? formatInstant(row.data_as_of) : null;
}

/** Data collected every morning is older than this only if a morning's run failed. */
export const freshHours = 30;

/** Whole hours since an instant; 0 if it is in the future. */
export function hoursSince(instant: string, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - Date.parse(instant)) / 3_600_000));
}

export function isStale(instant: string, now: Date): boolean {
  return hoursSince(instant, now) > freshHours;
}

/** E.g. `less than an hour`, `31 hours`, `60 days`. */
export function formatAge(hours: number): string {
  if (hours === 0) return "less than an hour";
  return hours < 48 ? formatQuantity(hours, "hour") : formatQuantity(Math.floor(hours / 24), "day");
}

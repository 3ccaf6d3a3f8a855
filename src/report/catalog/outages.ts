import { join, sql, whole } from "../compile/sql.ts";
import { filters } from "./filters.ts";
import { columnsLike, type ListReport } from "./list-report.ts";
import type { ReportEntry } from "./report-entry.ts";
import { zoneColumns, zoneJoins, zonePeriod } from "./zone-parts.ts";

/** Maximum number of notices listed for an outage. */
const maxNotices = 5;
const others = Array.from({ length: maxNotices - 1 }, (_, index) => whole(index + 2));

/** The outages that overlap the period. Their start and end are not clipped to it, but `down_seconds` is. */
export const outages: ListReport & ReportEntry = {
  name: "outages",
  summary: "when devices were down for 15 minutes or more",
  top: "longest",
  pageOrder: "down_seconds",
  collected: ["devices"],
  dataOf: ["devices", "notices"],
  notes: ["few-checks", "outages"],
  tables: (query) => [
    zonePeriod(query),
    [
      "known_outage",
      sql`select
    o.*,
    cast(o.started_at + o.down_seconds * interval '1' second as timestamp(6)) as known_until_at,
    z.from_at,
    z.until_at
from fact_outage as o
inner join zone_period as z on z.zone_id = o.zone_id`,
    ],
    [
      "outage",
      sql`select
    outage_key,
    device_id,
    zone_id,
    started_at,
    ended_at,
    seen_up_at,
    is_open,
    date_diff(
        'second',
        case when started_at < from_at then from_at else started_at end,
        case when known_until_at > until_at then until_at else known_until_at end
    ) as down_seconds
from known_outage
where started_at < until_at and known_until_at > from_at`,
    ],
    // Simultaneous notices, numbered by id.
    [
      "ranked_notice",
      sql`select
    b.outage_key,
    n.notice_id,
    n.type,
    row_number() over (partition by b.outage_key order by n.notice_id) as place,
    count(*) over (partition by b.outage_key) as notices
from bridge_outage_notice as b
inner join dim_notice as n on n.notice_id = b.notice_id`,
    ],
    [
      "outage_notice",
      sql`select
    outage_key,
    bool_or(type = 'planned') as is_planned,
    max(case when place = 1 then cast(notice_id as varchar) end)
    || ${join(
      others.map(
        (no) => sql`coalesce(max(case when place = ${no} then ', ' || cast(notice_id as varchar) end), '')`,
      ),
      "\n    || ",
    )}
    || case
        when max(notices) > ${whole(maxNotices)}
            then ', and ' || cast(max(notices) - ${whole(maxNotices)} as varchar) || ' more'
        else ''
    end as notices
from ranked_notice
group by outage_key`,
    ],
  ],
  rows: sql`outage as f
${zoneJoins}
left join outage_notice as n on n.outage_key = f.outage_key`,
  columns: {
    ...zoneColumns,
    ...columnsLike("dim_device", "device_id"),
    ...columnsLike("fact_outage", "started_at", "ended_at", "seen_up_at"),
    down_seconds: {
      of: sql`f.down_seconds`,
      like: "fact_outage.down_seconds",
      definition: "Known downtime within the period.",
    },
    ...columnsLike("fact_outage", "is_open"),
    planned: {
      of: sql`coalesce(n.is_planned, false)`,
      label: "Planned",
      unit: "yes or no",
      definition: "Whether announced maintenance overlaps the outage.",
    },
    notices: {
      of: sql`n.notices`,
      label: "Notices",
      unit: "text",
      definition: "Service notices that overlap the outage.",
    },
  },
  filters: {
    zone: filters.zone,
    location: filters.location,
    group: filters.group,
    device: filters.device,
  },
  attributes: ["zone"],
  order: [sql`f.started_at`, sql`f.zone_id`, sql`f.device_id`],
  ranking: [sql`f.down_seconds desc`, sql`f.started_at`, sql`f.device_id`],
  incidents: {
    key: ["device_id"],
    subject: { noun: "device", state: "down" },
    span: { start: "started_at", seconds: "down_seconds" },
    sources: ["devices"],
  },
};

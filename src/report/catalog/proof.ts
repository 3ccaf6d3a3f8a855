import { getPeriod, type ListQuery } from "../compile/request.ts";
import { date, isIn, type Sql, sql, text } from "../compile/sql.ts";
import { selectCampaigns } from "./chosen.ts";
import { delivery } from "./delivery.ts";
import { filters } from "./filters.ts";
import { columnsLike, type ListReport } from "./list-report.ts";
import type { ReportRows } from "./report-entry.ts";

const { kind, campaign } = filters;

const campaignColumns: ListReport["columns"] = {
  kind: { of: sql`c.kind`, like: "dim_campaign.kind" },
  campaign_id: { of: sql`c.campaign_id`, like: "dim_campaign.campaign_id" },
  campaign_name: { of: sql`c.campaign_name`, like: "dim_campaign.campaign_name" },
};

const zoneColumns: ListReport["columns"] = {
  ...columnsLike("dim_zone", "zone_id"),
  zone_name: { of: sql`z.zone_name`, like: "dim_zone.zone_name" },
};

/** Days on which one of the campaigns was scheduled or played. */
function campaignDays(query: ListQuery): [string, Sql] {
  const { from, to } = getPeriod(query);
  return [
    "day",
    sql`select *
from fact_campaign_zone_day
where date between ${date(from)} and ${date(to)} and campaign_key in (${selectCampaigns(query)})`,
  ];
}

const names = sql`inner join dim_zone as z on z.zone_id = f.zone_id
inner join dim_campaign as c on c.campaign_key = f.campaign_key`;

const ofDays = {
  name: "proof",
  filters: { kind, campaign },
  attributes: ["zone", "campaign"],
  attributesOn: "date",
} satisfies Partial<ListReport>;

/** The requested campaigns, even without a day in the period. */
const campaigns: ListReport = {
  name: "proof",
  rows: sql`dim_campaign as f\ninner join dim_campaign as c on c.campaign_key = f.campaign_key`,
  columns: campaignColumns,
  filters: { kind, campaign },
  attributes: ["campaign"],
  order: [sql`c.kind`, sql`c.campaign_id`],
};

/** Attributes of campaigns that a proof shows. */
const shownAttributes = ["contract", "contract_number", "agency", "market"];

/** Contracts, agencies and markets of the requested campaigns in the period. */
const details: ListReport = {
  name: "proof",
  tables: (query) => {
    const { from, to } = getPeriod(query);
    return [
      [
        "detail",
        sql`select
    a.*,
    c.kind
from bridge_campaign_attribute as a
inner join dim_campaign as c on c.campaign_key = a.campaign_key
where
    ${isIn(sql`a.attribute_name`, shownAttributes, text)}
    and a.valid_from <= ${date(to)}
    and a.valid_to >= ${date(from)}`,
      ],
    ];
  },
  rows: sql`detail as f\ninner join dim_campaign as c on c.campaign_key = f.campaign_key`,
  columns: {
    ...campaignColumns,
    ...columnsLike(
      "bridge_campaign_attribute",
      "attribute_name",
      "attribute_value",
      "valid_from",
      "valid_to",
    ),
  },
  filters: { kind, campaign },
  attributes: ["campaign"],
  order: [sql`c.kind`, sql`c.campaign_id`, sql`f.attribute_name`, sql`f.valid_from`],
};

/** The zones with campaign days, each with its location on these days. */
const venues: ListReport = {
  ...ofDays,
  tables: (query) => [campaignDays(query)],
  rows: sql`day as f
inner join dim_zone as z on z.zone_id = f.zone_id
left join bridge_zone_location as b
    on b.zone_id = f.zone_id and f.date between b.valid_from and b.valid_to
left join dim_location as l on l.location_id = b.location_id`,
  columns: {
    ...zoneColumns,
    valid_from: {
      of: sql`nullif(b.valid_from, date '1900-01-01')`,
      like: "bridge_zone_location.valid_from",
      definition: "The day on which the zone moved there; blank for its first location.",
    },
    valid_to: {
      of: sql`nullif(b.valid_to, date '2099-12-31')`,
      like: "bridge_zone_location.valid_to",
      definition: "The last day there; blank for its newest location.",
    },
    location_id: { of: sql`b.location_id`, like: "dim_location.location_id" },
    location_name: { of: sql`l.location_name`, like: "dim_location.location_name" },
    street: { of: sql`l.street`, like: "dim_location.street" },
    city: { of: sql`l.city`, like: "dim_location.city" },
    address_state: { of: sql`l.state`, like: "dim_location.state" },
    zip: { of: sql`l.zip`, like: "dim_location.zip" },
    latitude: { of: sql`l.latitude`, like: "dim_location.latitude" },
    longitude: { of: sql`l.longitude`, like: "dim_location.longitude" },
  },
  isDistinct: true,
  order: [sql`zone_id`, sql`valid_from nulls first`],
};

const days: ListReport = {
  ...ofDays,
  tables: (query) => [campaignDays(query)],
  rows: sql`day as f\n${names}`,
  columns: {
    ...campaignColumns,
    ...zoneColumns,
    ...columnsLike("dim_date", "date"),
    ...columnsLike("fact_campaign_zone_day", "state", "is_assumed", "candidate_plays", "exclusive_plays"),
    ...columnsLike("fact_campaign_zone_day", "play_seconds", "due_times", "met_times"),
  },
  order: [sql`c.kind`, sql`c.campaign_id`, sql`f.zone_id`, sql`f.date`],
};

/** The plays of scheduled days by asset, which add up to the days' candidate plays. */
const plays: ListReport = {
  ...ofDays,
  tables: (query) => [
    campaignDays(query),
    [
      "linked",
      sql`select distinct f.campaign_key, f.kind, f.zone_id, f.date, a.item_key
from day as f
inner join fact_zone_day_listing as d on d.kind = f.kind and d.zone_id = f.zone_id and d.date = f.date
inner join fact_listed_asset as a
    on a.kind = d.kind
    and a.owner_kind = d.owner_kind
    and a.owner_id = d.owner_id
    and a.campaign_key = f.campaign_key
    and a.from_at < d.end_at
    and coalesce(a.until_at, timestamp '9999-12-31 00:00:00') > d.start_at
where
    f.state <> 'unscheduled'
    and f.candidate_plays > 0
    and (a.start_date is null or a.start_date <= f.date)
    and (a.end_date is null or a.end_date >= f.date)`,
    ],
    [
      "played",
      sql`select
    l.campaign_key,
    l.kind,
    l.zone_id,
    l.date,
    l.item_key,
    cast(sum(p.plays) as bigint) as plays,
    cast(sum(p.play_seconds) as bigint) as play_seconds
from linked as l
inner join fact_play_day as p
    on p.kind = l.kind and p.zone_id = l.zone_id and p.date = l.date and p.item_key = l.item_key
group by l.campaign_key, l.kind, l.zone_id, l.date, l.item_key`,
    ],
  ],
  rows: sql`played as f\n${names}\ninner join dim_item as i on i.item_key = f.item_key`,
  columns: {
    ...campaignColumns,
    ...zoneColumns,
    ...columnsLike("dim_date", "date"),
    item_id: { of: sql`i.item_id`, like: "dim_item.item_id" },
    item_name: { of: sql`i.item_name`, like: "dim_item.item_name" },
    candidate_plays: {
      of: sql`f.plays`,
      like: "fact_campaign_zone_day.candidate_plays",
      definition: "Plays of the asset that the campaign can claim.",
    },
    ...columnsLike("fact_play_day", "play_seconds"),
  },
  order: [sql`c.kind`, sql`c.campaign_id`, sql`f.zone_id`, sql`f.date`, sql`i.item_id`],
};

/** The rows of one table of a proof. */
export interface ProofTableForm {
  rows: ReportRows;
  /** Columns that identify a row. */
  key: readonly string[];
  /** @default none */
  by?: readonly string[];
  /** @default all */
  measures?: readonly string[];
}

const dayKey = ["kind", "campaign_id", "zone_id", "date"];

/** The tables of a proof, in order. */
export const proofTables = {
  campaigns: { rows: campaigns, key: ["kind", "campaign_id"] },
  details: { rows: details, key: ["kind", "campaign_id", "attribute_name", "valid_from"] },
  bookings: {
    rows: delivery,
    key: ["kind", "campaign_id", "valid_from"],
    by: ["campaign"],
    measures: [
      ...["status", "booked", "delivered", "delivered_share"],
      ...["booked_impressions", "delivered_impressions", "impression_coverage"],
    ],
  },
  venues: { rows: venues, key: ["zone_id", "location_id", "valid_from"] },
  days: { rows: days, key: dayKey },
  plays: { rows: plays, key: [...dayKey, "item_id"] },
} satisfies Record<string, ProofTableForm>;

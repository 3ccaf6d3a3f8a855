import type { ReportQuery } from "../compile/request.ts";
import { int, isIn, name, nothing, type Sql, sql } from "../compile/sql.ts";
import type { Bits, Dimension } from "./aggregate-report.ts";
import { periods } from "./time-steps.ts";

const zoneJoin = sql`left join dim_zone as z on z.zone_id = f.zone_id`;
const locationJoin = sql`left join dim_location as l on l.location_id = z.location_id`;
const firmwareJoin = sql`left join bridge_device_firmware as v
    on v.device_id = f.device_id
    and f.date between v.valid_from and v.valid_to`;

/** In rows by group, a zone is included in each of its groups, or in each requested one. */
const groupJoin = ({ where: { group } = {} }: ReportQuery) =>
  sql`left join bridge_group_zone as g on g.zone_id = f.zone_id${
    group ? sql` and ${isIn(sql`g.group_id`, group, int)}` : nothing
  }`;

/** Returns the kind that the key of an item or campaign encodes, which saves a join. */
const kindIn = (key: Sql) =>
  sql`case ${key} % 4 when 0 then 'music' when 1 then 'signage' else 'messaging' end`;

/** Platform, model and firmware are those on the row's day. */
const versionOf = (column: "platform" | "model" | "firmware", definition: string): Dimension => ({
  needs: ["device"],
  joins: [firmwareJoin],
  keys: { [column]: sql`coalesce(nullif(v.${name(column)}, ''), '(none)')` },
  columns: { [column]: { of: sql`r.${name(column)}`, like: `dim_device.${column}`, definition } },
});

/** Dimensions that reports share. */
export const dimensions = {
  kind: {
    needs: ["kind"],
    keys: { kind: sql`f.kind` },
    columns: { kind: { of: sql`r.kind`, like: "dim_kind.kind" } },
  },
  group: {
    needs: ["zone"],
    joins: [groupJoin],
    keys: { group_id: sql`g.group_id` },
    label: sql`left join dim_group as dg on dg.group_id = r.group_id`,
    columns: {
      group_id: { of: sql`r.group_id`, like: "dim_group.group_id" },
      group_name: { of: sql`dg.group_name`, like: "dim_group.group_name" },
    },
  },
  location: {
    needs: ["zone"],
    joins: [zoneJoin],
    keys: { location_id: sql`z.location_id` },
    label: sql`left join dim_location as dl on dl.location_id = r.location_id`,
    columns: {
      location_id: { of: sql`r.location_id`, like: "dim_location.location_id" },
      location_name: { of: sql`dl.location_name`, like: "dim_location.location_name" },
    },
  },
  city: {
    needs: ["zone"],
    joins: [zoneJoin, locationJoin],
    keys: { city: sql`l.city` },
    columns: { city: { of: sql`r.city`, like: "dim_location.city" } },
  },
  zone: {
    needs: ["zone"],
    keys: { zone_id: sql`f.zone_id` },
    label: sql`left join dim_zone as dz on dz.zone_id = r.zone_id`,
    columns: {
      zone_id: { of: sql`r.zone_id`, like: "dim_zone.zone_id" },
      zone_name: { of: sql`dz.zone_name`, like: "dim_zone.zone_name" },
    },
  },
  device: {
    needs: ["device"],
    keys: { device_id: sql`f.device_id` },
    columns: { device_id: { of: sql`r.device_id`, like: "dim_device.device_id" } },
  },
  item: {
    needs: ["item"],
    keys: { item_key: sql`f.item_key` },
    label: sql`left join dim_item as di on di.item_key = r.item_key`,
    columns: {
      kind: { of: kindIn(sql`r.item_key`), like: "dim_kind.kind" },
      item_key: { of: sql`r.item_key`, like: "dim_item.item_key" },
      item_id: { of: sql`di.item_id`, like: "dim_item.item_id" },
      item_name: { of: sql`di.item_name`, like: "dim_item.item_name" },
    },
    implies: { kind: kindIn(sql`r.item_key`) },
  },
  artist: {
    needs: ["artist"],
    keys: { artist_id: sql`f.artist_id` },
    label: sql`left join dim_artist as da on da.artist_id = r.artist_id`,
    columns: {
      artist_id: { of: sql`r.artist_id`, like: "dim_artist.artist_id" },
      artist_name: { of: sql`da.artist_name`, like: "dim_artist.artist_name" },
    },
  },
  campaign: {
    needs: ["campaign"],
    keys: { campaign_key: sql`f.campaign_key` },
    label: sql`left join dim_campaign as dc on dc.campaign_key = r.campaign_key`,
    columns: {
      kind: { of: sql`dc.kind`, like: "dim_campaign.kind" },
      campaign_key: { of: sql`r.campaign_key`, like: "dim_campaign.campaign_key" },
      campaign_id: { of: sql`dc.campaign_id`, like: "dim_campaign.campaign_id" },
      campaign_name: { of: sql`dc.campaign_name`, like: "dim_campaign.campaign_name" },
    },
    implies: { kind: kindIn(sql`r.campaign_key`) },
  },
  ...periods,
  weekday: {
    needs: ["date"],
    keys: {
      day_of_week: sql`date_diff('day', cast(date_trunc('week', f.date) as date), cast(f.date as date)) + 1`,
    },
    columns: {
      weekday: {
        of: sql`case r.day_of_week when 1 then 'Monday' when 2 then 'Tuesday' when 3 then 'Wednesday'
      when 4 then 'Thursday' when 5 then 'Friday' when 6 then 'Saturday' when 7 then 'Sunday' end`,
        ...{ label: "Weekday", unit: "text", definition: "Day of the week of the local date." },
      },
    },
    order: [sql`r.day_of_week`],
  },
  hour: {
    needs: ["hour"],
    keys: { hour: sql`f.play_hour` },
    columns: { hour: { of: sql`r.hour`, like: "fact_play.play_hour" } },
  },
  reason: {
    needs: ["reason"],
    keys: { reason: sql`coalesce(f.reason, '(none)')` },
    columns: {
      reason: {
        of: sql`r.reason`,
        like: "fact_campaign_zone_day.reason",
        note: "(none) for days that ran or were not scheduled.",
      },
    },
    isOutcome: true,
  },
  daypart: {
    needs: ["daypart"],
    keys: { daypart: sql`f.daypart`, from_secs: sql`f.from_secs` },
    columns: {
      daypart: {
        of: sql`r.daypart`,
        like: "dim_daypart.daypart",
        definition:
          "Part of the day in which the play began, by the zone's clock; (none) outside all dayparts.",
        note: "From reference/dayparts.csv.",
      },
    },
    order: [sql`r.from_secs`, sql`r.daypart`],
  },
  platform: versionOf("platform", "The device's platform on that day."),
  model: versionOf("model", "The device's model on that day."),
  firmware: versionOf("firmware", "The device's firmware on that day, as of its last check."),
} satisfies Record<string, Dimension>;

/** Ids may have gaps: sparse ids only need more blocks. */
export const bitsOf = {
  zone: { block: sql`f.zone_id - f.zone_id % 60`, bit: sql`f.zone_id % 60` },
  // Items of a kind differ by 4.
  item: {
    block: sql`f.item_key - f.item_key % 240 + f.item_key % 4`,
    bit: sql`bitwise_right_shift(f.item_key % 240, 2)`,
  },
} satisfies Record<string, Bits>;

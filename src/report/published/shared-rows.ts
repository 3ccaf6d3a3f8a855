const ofZone = "t.zone_id in (select z.zone_id from share.zone as z)";
const ofGroup = "t.group_id in (select g.group_id from share.zone_group as g)";
const ofItem = "t.item_key in (select i.item_key from share.item as i)";
/** Plays of the campaigns' assets, in zones and on days where they were linked and active. */
const ofItemDay = `exists (
    select 1 from share.item_day as d where d.zone_id = t.zone_id and d.date = t.date and d.item_key = t.item_key
  )`;
const ofOwnRule = "t.rule_id in (select r.rule_id from share.rule as r where r.is_own)";
/** All rows, because none refers to a campaign. */
const all = "true";

/** Returns a condition for rows of the token's campaigns, on the local dates on which the token includes them. */
function ofSpan(overlaps: string): string {
  return `exists (select 1 from share.span as c where c.campaign_key = t.campaign_key and ${overlaps})`;
}

/**
 * Rows that a customer token sees, by table: a condition on rows `t` of the version. Tables with changed rows are in
 * `sql/shares/tables/`. A table that is in neither has no rows.
 */
export const sharedRows: Readonly<Record<string, string>> = {
  bridge_campaign_asset: ofSpan(`t.linked_from < c.valid_to + interval '1' day
    and coalesce(t.linked_to, timestamp '9999-12-31 00:00:00') > c.valid_from`),
  // At other times, the campaign may have been another customer's.
  bridge_campaign_attribute: ofSpan("c.valid_from <= t.valid_to and c.valid_to >= t.valid_from"),
  bridge_group_zone: ofZone,
  bridge_item_attribute: ofItem,
  bridge_zone_attribute: ofZone,
  bridge_zone_kind: ofZone,
  bridge_zone_listing: ofZone,
  bridge_zone_location: ofZone,
  // The plays of a booking can't be divided among customers, so the token must include all its days.
  dim_campaign_target: `t.campaign_key in (select c.campaign_key from share.campaign as c) and not exists (
    select 1 from share.gap as g
    where g.campaign_key = t.campaign_key and g.valid_from <= t.valid_to and g.valid_to >= t.valid_from
  )`,
  dim_date: all,
  dim_daypart: all,
  dim_footfall: ofZone,
  dim_group: ofGroup,
  dim_item: ofItem,
  dim_kind: all,
  // Includes earlier locations of zones.
  dim_location: `t.location_id in (
    select d.location_id from whole.dim_zone as d inner join share.zone as z on z.zone_id = d.zone_id
    union
    select b.location_id from whole.bridge_zone_location as b inner join share.zone as z on z.zone_id = b.zone_id
  )`,
  dim_opening_hours: ofZone,
  dim_zone: ofZone,
  fact_campaign_zone_day: ofSpan("t.date between c.valid_from and c.valid_to"),
  fact_clock_change: ofZone,
  fact_device_day: ofZone,
  // Responses for the groups of the token's zones, and files.
  fact_freshness: `t.group_id is null or ${ofGroup}`,
  fact_impression_hour: ofItemDay,
  fact_play: ofItemDay,
  fact_play_day: ofItemDay,
  fact_rule_date: ofOwnRule,
  fact_rule_ended_day: `${ofOwnRule} and ${ofZone}`,
  fact_zone_day_listing: ofZone,
  fact_zone_hours: ofZone,
  fact_zone_opening: ofZone,
  mart_info: all,
};

const ofAnyRule = "t.rule_id in (select r.rule_id from share.rule as r)";

/** Conditions for the explanation of a campaign day, where other campaigns can claim the same plays. */
export const claimedRows: Readonly<Record<string, string>> = {
  fact_rule_date: ofAnyRule,
  fact_rule_ended_day: `${ofAnyRule} and ${ofZone}`,
};

import { addDays, listDaysBetween } from "../../src/util/local-date.ts";
import { publishFixture } from "../support/published-fixture.ts";
import { randomNumbers } from "../support/random-numbers.ts";

/** Randomly generated data with booked plays: past campaign days, and listings that schedule future ones. */

/** The day of the data; rules and the calendar reach 60 days further. */
export const today = "2026-11-21";
export const knownTo = addDays(today, 60);
const firstDay = "2026-10-01";
const draw = randomNumbers(53);
const pick = <Item>(items: readonly Item[]): Item => items[draw(items.length)] as Item;

/** Zones 1 to 3 and 7 have listings of their own, 4 to 6 those of groups. */
export const zoneIds = [1, 2, 3, 4, 5, 6, 7];
const owners = [
  ...[1, 2, 3, 7].map((id) => ({ kind: "zone", id, zones: [id] })),
  { kind: "group", id: 1, zones: [4, 5] },
  { kind: "group", id: 2, zones: [5, 6] },
];
export const groupsOf = (zone: number) => [1, 2].filter((group) => (zone + group) % 3 > 0);
export const regionOf = (zone: number) => (zone < 4 ? "North" : "South");
/** Last day whose schedule is already determined, for clocks ahead of, equal to and behind that of the data. */
const determinedTo: Readonly<Record<number, string>> = { 1: addDays(today, 1), 2: addDays(today, -1) };
/** Campaign 7 was never listed. */
const campaignKeys = [5, 9, 13, 18, 22, 25];
export const advertiserOf = (campaign: number) => (campaign < 14 ? "Acme" : "Bolt");
const kindOf = (campaign: number) => (campaign % 4 === 1 ? "signage" : "messaging");

/** Days of the week of each rule, 1 is Monday. */
const rules: Readonly<Record<number, readonly number[]>> = { 1: [1, 3], 2: [7], 3: [2, 4, 6] };
const dayOfWeek = (date: string) => ((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;

const listings = owners.flatMap((owner) =>
  campaignKeys
    .filter((campaign) => campaign !== 25 && draw(4) > 0)
    .map((campaign) => ({
      owner,
      campaign,
      isCurrent: draw(8) > 0,
      isEnabled: draw(8) > 0,
      end: pick([undefined, undefined, addDays(today, 10 + draw(70))]),
      rule: pick([undefined, 1, 2, 3]),
      assets: Array.from({ length: 1 + draw(2) }, () => ({
        start: pick([undefined, addDays(today, draw(20))]),
        end: pick([undefined, addDays(today, 20 + draw(20))]),
      })),
    })),
);
/** First day from which zone 7 plays only music. */
const isOfKind = (zone: number, date: string) => zone !== 7 || date <= addDays(today, 9);

const states = [
  "compliant",
  "compliant",
  "compliant",
  "missed",
  "missed_offline",
  "closed",
  "not_measurable",
];

export interface Cell {
  campaign: number;
  zone: number;
  date: string;
  state: string;
  /** Twelfths of a play. */
  twelfths: number;
}

/** Past zone days, those after the 17th pending. */
export const past: Cell[] = campaignKeys.slice(0, 4).flatMap((campaign) =>
  zoneIds.flatMap((zone) =>
    listDaysBetween(firstDay, determinedTo[zone] ?? today)
      .filter(() => draw(3) > 0)
      .map((date) => {
        const state = draw(10) === 0 ? "unscheduled" : date > "2026-11-17" ? "pending" : pick(states);
        const hasPlays = state === "compliant" || (state === "pending" && draw(2) === 0);
        return { campaign, zone, date, state, twelfths: hasPlays ? 1 + draw(240) : 0 };
      }),
  ),
);

/** Twelfths of plays with footfall, which zones 5 to 7 lack. */
export const coveredOf = ({ zone, twelfths }: Cell) => (zone < 5 ? Math.floor(twelfths / zone) : 0);
export const impressionsOf = (cell: Cell) => (coveredOf(cell) / 12) * (cell.zone + 0.25);

/** Future zone days, computed day by day from the listings. */
export const coming: Cell[] = campaignKeys.flatMap((campaign) =>
  zoneIds.flatMap((zone) =>
    listDaysBetween(addDays(determinedTo[zone] ?? today, 1), knownTo)
      .filter((date) =>
        listings.some(
          (one) =>
            one.campaign === campaign &&
            one.owner.zones.includes(zone) &&
            one.isCurrent &&
            one.isEnabled &&
            date <= (one.end ?? "9999") &&
            (one.rule === undefined || rules[one.rule]?.includes(dayOfWeek(date))) &&
            one.assets.some(({ start = "", end = "9999" }) => start <= date && date <= end) &&
            isOfKind(zone, date),
        ),
      )
      .map((date) => ({ campaign, zone, date, state: "coming", twelfths: 0 })),
  ),
);

export interface Line {
  campaign: number;
  from: string;
  to: string;
  plays: number | null;
  perDay: number | null;
  compliance: number | null;
  impressions: number | null;
}

const always = { from: "1900-01-01", to: "2099-12-31" };
const none = { plays: null, perDay: null, compliance: null, impressions: null };
/** A campaign's last day in dim_campaign. */
export const endOf: Readonly<Record<number, string>> = { 13: addDays(today, 50) };

export const lines: Line[] = [
  { ...none, campaign: 5, from: "2026-09-20", to: "2026-11-10", plays: 900 },
  {
    ...none,
    campaign: 5,
    from: "2026-11-11",
    to: "2026-12-31",
    plays: 4000,
    compliance: 0.6,
    impressions: 9000,
  },
  { ...none, campaign: 9, from: "2026-11-01", to: "2027-03-31", perDay: 12.5 },
  { ...none, campaign: 9, from: "2026-10-05", to: "2026-10-31", impressions: 1234 },
  { ...none, campaign: 13, ...always, perDay: 8, compliance: 0.9 },
  { ...none, campaign: 18, ...always, compliance: 0.5 },
  { ...none, campaign: 22, from: addDays(today, 5), to: addDays(today, 40), plays: 700, impressions: 50 },
  // Never scheduled.
  { ...none, campaign: 25, from: "2026-11-08", to: "2026-11-27", plays: 200 },
];

export async function publishBookedWorld(folder: string): Promise<void> {
  const until = (isCurrent: boolean) => (isCurrent ? null : "2026-11-20 00:00:00");
  const owned = listings.map(({ owner, campaign, ...one }) => ({
    ...one,
    key: { kind: kindOf(campaign), owner_kind: owner.kind, owner_id: owner.id, campaign_key: campaign },
  }));
  await publishFixture(folder, {
    version: "v000001",
    dataAsOf: `${today}T04:10:00.000Z`,
    rows: {
      dim_zone: zoneIds.map((id) => ({ zone_id: id, zone_name: `Zone ${id}`, last_play_date: today })),
      dim_group: [1, 2].map((id) => ({ group_id: id, group_name: `Group ${id}` })),
      bridge_group_zone: zoneIds.flatMap((id) =>
        groupsOf(id).map((group) => ({ group_id: group, zone_id: id })),
      ),
      dim_campaign: campaignKeys.map((key) => ({
        ...{ campaign_key: key, kind: kindOf(key), campaign_id: Math.floor(key / 4) },
        ...{ campaign_name: `Campaign ${key}`, end_date: endOf[key] ?? null },
      })),
      dim_campaign_target: [
        ...lines.map(({ campaign, from, to, plays, perDay, compliance, impressions }) => ({
          ...{ campaign_key: campaign, valid_from: from, valid_to: to },
          ...{ plays, plays_per_zone_day: perDay, compliance, impressions },
        })),
        { campaign_key: 29, valid_from: always.from, valid_to: always.to, plays_per_zone_day: 1 },
      ],
      bridge_zone_attribute: zoneIds.map((id) => ({
        ...{ zone_id: id, attribute_name: "region", attribute_value: regionOf(id) },
        ...{ valid_from: always.from, valid_to: always.to },
      })),
      bridge_campaign_attribute: campaignKeys.map((key) => ({
        ...{ campaign_key: key, attribute_name: "advertiser", attribute_value: advertiserOf(key) },
        ...{ valid_from: always.from, valid_to: always.to },
      })),
      bridge_zone_kind: [
        { zone_id: 7, kind: "music", valid_from: always.from, valid_to: always.to },
        ...["signage", "messaging"].map((kind) => ({
          ...{ zone_id: 7, kind, valid_from: always.from, valid_to: addDays(today, 9) },
        })),
      ],
      bridge_zone_listing: owners.flatMap(({ kind: owner_kind, id: owner_id, zones }) =>
        zones.flatMap((zone_id) =>
          ["signage", "messaging"].map((kind) => ({
            ...{ kind, zone_id, owner_kind, owner_id, first_at: "2026-10-01 00:00:00" },
            settled_until: "2026-11-18 04:00:00",
          })),
        ),
      ),
      fact_zone_day_listing: zoneIds.flatMap((zone_id) =>
        ["signage", "messaging"].map((kind) => ({
          ...{ kind, zone_id, date: determinedTo[zone_id] ?? today, owner_kind: "zone", owner_id: zone_id },
        })),
      ),
      fact_listed_campaign: owned.map(({ key, isCurrent, isEnabled, end, rule }) => ({
        ...{ ...key, is_enabled: isEnabled, add_date: "2026-01-01", end_date: end ?? null },
        ...{ rule_id: rule ?? null, is_every_day: rule === undefined ? null : false },
        until_at: until(isCurrent),
      })),
      fact_listed_asset: owned.flatMap(({ key, isCurrent, assets }) =>
        assets.map(({ start, end }, index) => ({
          ...{ ...key, item_key: 4 * index + 1, start_date: start ?? null, end_date: end ?? null },
          until_at: until(isCurrent),
        })),
      ),
      fact_rule_date: Object.entries(rules).flatMap(([rule, days]) =>
        listDaysBetween("2026-10-01", knownTo)
          .filter((date) => days.includes(dayOfWeek(date)))
          .map((date) => ({ rule_id: Number(rule), date })),
      ),
      dim_footfall: [{ zone_id: 1, source: "door counter" }],
      fact_campaign_zone_day: past.map((cell) => ({
        ...{ campaign_key: cell.campaign, kind: kindOf(cell.campaign), zone_id: cell.zone },
        ...{ date: cell.date, state: cell.state, candidate_plays: Math.ceil(cell.twelfths / 12) },
        ...{ weighted_plays: cell.twelfths / 12, covered_plays: coveredOf(cell) / 12 },
        impressions: coveredOf(cell) === 0 ? null : impressionsOf(cell),
      })),
    },
  });
}

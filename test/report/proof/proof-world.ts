import { generateKeyPairSync } from "node:crypto";
import { buffer } from "node:stream/consumers";
import type { ProofDocument } from "../../../src/report/proof/build-proof.ts";
import { formatProof } from "../../../src/report/proof/write-proof.ts";
import { addDays, listDaysBetween } from "../../../src/util/local-date.ts";
import type { PublishedFixture } from "../../support/published-fixture.ts";
import { randomNumbers } from "../../support/random-numbers.ts";

/** One campaign in one zone on one day, counted from listings and plays without SQL. */
export interface ProofCell {
  campaign: number;
  zone: number;
  date: string;
  state: string;
  isAssumed: boolean;
  /** Plays and seconds by item that count for the campaign. */
  items: ReadonlyMap<number, { plays: number; seconds: number }>;
  exclusive: number;
  due: number | null;
  met: number | null;
}

export interface ProofWorld {
  fixture: PublishedFixture;
  cells: readonly ProofCell[];
}

export const { privateKey: key, publicKey } = generateKeyPairSync("ed25519");

/** Returns a signed proof as a page or a workbook. */
export async function format(file: `proof.${"html" | "xlsx"}`, document: ProofDocument): Promise<Buffer> {
  return await buffer(await formatProof(file, document, key));
}

export const period = { from: "2026-11-02", to: "2026-11-20" };
const pendingFrom = "2026-11-18";
const movedOn = "2026-11-09";
/** Signage 1 to 3, and messaging 1. */
export const campaignKeys = [5, 9, 13, 6];
export const kindOf = (key: number) => (key % 4 === 1 ? "signage" : "messaging");
export const advertiserOf = (key: number) => (key === 13 ? "Bolt" : "Acme");
const campaignName = (key: number) => `<b>"Campaign" ${key} & =1+1</b>`;
export const itemName = (key: number) => `'Spot ${key}`;
/** Dates of a line of booked plays, and its plays. */
export const bookedDates = { valid_from: "2026-11-04", valid_to: "2026-11-15" };
export const bookedPlays = (key: number) => 100 * key;
const itemKeys = [5, 9, 13, 17, 6, 10];
const nothing = ["missed", "missed_offline", "closed", "not_measurable"];

/** Draws listings, plays and outcomes, and publishes what a build would make of them. */
export function drawProofWorld(seed: number, version = "v000001"): ProofWorld {
  const draw = randomNumbers(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[draw(items.length)] as Item;
  const dates = listDaysBetween(addDays(period.from, -3), addDays(period.to, 2));
  const zones = Array.from({ length: 2 + draw(4) }, (_, index) => index + 1);
  const ownersOf = new Map(
    zones.map((zone) => [zone, pick([[`zone ${zone}`], ["group 1"], ["group 1", "group 2"]])]),
  );
  const links = [...zones.map((zone) => `zone ${zone}`), "group 1", "group 2"].flatMap((owner) =>
    campaignKeys.flatMap((campaign) =>
      Array.from({ length: draw(4) }, () => ({
        owner,
        campaign,
        item: pick(itemKeys.filter((item) => item % 4 === campaign % 4)),
        fromAt: `${pick([dates[0], pick(dates)])} ${pick(["00:00:00", "12:00:00"])}`,
        untilAt: pick([null, null, `${pick(dates)} ${pick(["00:00:00", "12:00:00"])}`]),
        start: pick([null, null, pick(dates)]),
        end: pick([null, null, pick(dates)]),
      })),
    ),
  );
  const plays = new Map(
    zones.flatMap((zone) =>
      dates.flatMap((date) =>
        itemKeys
          .filter(() => draw(3) > 0)
          .map(
            (item) => [`${zone} ${date} ${item}`, { plays: 1 + draw(30), seconds: 10 + draw(900) }] as const,
          ),
      ),
    ),
  );
  const cells = zones.flatMap((zone) =>
    dates.flatMap((date) => {
      const itemsOf = (campaign: number) =>
        new Set(
          links
            .filter(
              (link) =>
                link.campaign === campaign &&
                ownersOf.get(zone)?.includes(link.owner) &&
                link.fromAt < `${addDays(date, 1)} 00:00:00` &&
                (link.untilAt ?? "9999") > `${date} 00:00:00` &&
                (link.start ?? "") <= date &&
                date <= (link.end ?? "9999"),
            )
            .map(({ item }) => item),
        );
      const listed = campaignKeys.filter((campaign) => itemsOf(campaign).size > 0);
      const scheduled = listed.filter(() => draw(4) > 0);
      const countClaimants = (item: number) =>
        scheduled.filter((campaign) => itemsOf(campaign).has(item)).length;
      return listed.flatMap((campaign): ProofCell[] => {
        const isScheduled = scheduled.includes(campaign);
        const items = new Map(
          [...itemsOf(campaign)].flatMap((item) => {
            const played = plays.get(`${zone} ${date} ${item}`);
            return played && (isScheduled || countClaimants(item) === 0) ? [[item, played] as const] : [];
          }),
        );
        if (!isScheduled && items.size === 0) return [];
        const exclusive = [...items].filter(([item]) => isScheduled && countClaimants(item) === 1);
        const outcome = items.size > 0 ? "compliant" : pick(nothing);
        const due = campaign === 9 && isScheduled ? draw(4) : null;
        return [
          {
            campaign,
            zone,
            date,
            state: !isScheduled ? "unscheduled" : date >= pendingFrom ? "pending" : outcome,
            isAssumed: draw(3) === 0,
            items,
            exclusive: sumPlays(exclusive.map(([, played]) => played)),
            due,
            met: due === null ? null : items.size > 0 ? draw(due + 1) : 0,
          },
        ];
      });
    }),
  );
  return {
    cells,
    fixture: {
      version,
      dataAsOf: "2026-11-21T04:10:00.000Z",
      rows: {
        fact_freshness: ["signage", "messaging"].map((kind) => ({
          ...{ group_id: 1, kind, source: "export", requested_at: "2026-11-21 04:10:00" },
        })),
        dim_zone: zones.map((id) => ({
          ...{ zone_id: id, zone_name: `Zone "${id}", <i>=1</i>`, location_id: locationOf(id, "2026-11-20") },
          ...{ first_play_date: dates[0] ?? "", last_play_date: dates.at(-1) ?? "" },
        })),
        dim_location: [
          {
            location_id: 1,
            location_name: "Höhe 1",
            street: "1 A Street",
            city: "Ulm",
            zip: "01234",
            latitude: 48.4,
            longitude: -9.98,
          },
          { location_id: 2, location_name: "", city: null },
          { location_id: 3, location_name: "New 3", street: "3 C Street", city: "Ulm" },
        ],
        bridge_zone_location: zones.flatMap((zone) => {
          const [before, after] = [locationOf(zone, period.from), locationOf(zone, period.to)];
          if (before === null) return [];
          const [valid_from, valid_to] = ["1900-01-01", "2099-12-31"];
          if (before === after) return [{ zone_id: zone, location_id: before, valid_from, valid_to }];
          return [
            { zone_id: zone, location_id: before, valid_from, valid_to: addDays(movedOn, -1) },
            { zone_id: zone, location_id: after, valid_from: movedOn, valid_to },
          ];
        }),
        dim_item: itemKeys.map((key) => ({
          ...{ item_key: key, kind: kindOf(key), item_id: Math.floor(key / 4), item_name: itemName(key) },
        })),
        dim_campaign: campaignKeys.map((key) => ({
          ...{ campaign_key: key, kind: kindOf(key), campaign_id: Math.floor(key / 4) },
          campaign_name: campaignName(key),
        })),
        bridge_campaign_attribute: campaignKeys.flatMap((key) => [
          ...Object.entries({
            advertiser: advertiserOf(key),
            contract: `C-${key}`,
            agency: "Höhe & <b>",
          }).map(([name, value]) => ({
            ...{ campaign_key: key, attribute_name: name, attribute_value: value },
            ...{ valid_from: "1900-01-01", valid_to: "2099-12-31" },
          })),
          ...[
            { attribute_value: "South", valid_from: "1900-01-01", valid_to: addDays(period.from, -1) },
            { attribute_value: "North", valid_from: period.from, valid_to: "2099-12-31" },
          ].map((value) => ({ campaign_key: key, attribute_name: "market", ...value })),
        ]),
        dim_campaign_target: campaignKeys.flatMap((key) => [
          { campaign_key: key, ...bookedDates, plays: bookedPlays(key) },
          { campaign_key: key, valid_from: "2026-12-01", valid_to: "2026-12-31", plays: 1 },
        ]),
        fact_zone_day_listing: zones.flatMap((zone) =>
          dates.flatMap((date) =>
            (ownersOf.get(zone) ?? []).flatMap((owner) =>
              ["signage", "messaging"].map((kind) => ({
                ...{ kind, zone_id: zone, date, ...splitOwner(owner) },
                ...{ start_at: `${date} 00:00:00`, end_at: `${addDays(date, 1)} 00:00:00` },
              })),
            ),
          ),
        ),
        fact_listed_asset: links.map(({ owner, campaign, item, fromAt, untilAt, start, end }) => ({
          ...{ kind: kindOf(campaign), ...splitOwner(owner), campaign_key: campaign, item_key: item },
          ...{ from_at: fromAt, until_at: untilAt, start_date: start, end_date: end },
        })),
        fact_play_day: [...plays].map(([key, { plays: count, seconds }]) => {
          const [zone, date = "", item] = key.split(" ");
          return {
            ...{ kind: kindOf(Number(item)), zone_id: Number(zone), item_key: Number(item), date },
            ...{ plays: count, play_seconds: seconds, complete_plays: 0, measured_plays: 0, short_plays: 0 },
          };
        }),
        fact_campaign_zone_day: cells.map(
          ({ campaign, zone, date, state, isAssumed, items, exclusive, due, met }) => ({
            ...{
              campaign_key: campaign,
              kind: kindOf(campaign),
              zone_id: zone,
              date,
              state,
              is_assumed: isAssumed,
            },
            ...{
              candidate_plays: sumPlays([...items.values()]),
              exclusive_plays: exclusive,
              weighted_plays: exclusive,
            },
            play_seconds: [...items.values()].reduce((sum, { seconds }) => sum + seconds, 0),
            ...{
              weighted_seconds: 0,
              complete_plays: 0,
              measured_plays: 0,
              active_assets: 1,
              played_assets: 1,
            },
            ...{ due_times: due, met_times: met },
          }),
        ),
      },
    },
  };
}

/** The location of a zone on a date: every second one moves once. */
export function locationOf(zone: number, date: string): number | null {
  if (zone % 3 === 0) return null;
  return zone % 2 === 1 && date >= movedOn ? 3 : zone % 3;
}

export function sumPlays(played: readonly { plays: number }[]): number {
  return played.reduce((sum, { plays }) => sum + plays, 0);
}

function splitOwner(owner: string): { owner_kind: string; owner_id: number } {
  const [kind = "", id] = owner.split(" ");
  return { owner_kind: kind, owner_id: Number(id) };
}

import { expect, it } from "vitest";
import { footfallColumns } from "../../src/load/reference/footfall.ts";
import { dateColumns } from "../../src/load/reference/valid-dates.ts";
import { randomNumbers } from "../support/random-numbers.ts";
import { WarehouseFixture } from "./warehouse-fixture.ts";

const hourMs = 3_600_000;
const draw = randomNumbers(64);
const pick = <Item>(items: readonly Item[]): Item => items[draw(items.length)] as Item;

/** Zones with the location of each: clocks go back in Berlin on 25 October, in New York on 1 November. */
const zones = [
  { id: 1, location: 10, before: 120, after: 60, changeAt: Date.parse("2026-10-25T01:00:00Z") },
  { id: 2, location: 10, before: 120, after: 60, changeAt: Date.parse("2026-10-25T01:00:00Z") },
  { id: 3, location: 20, before: -240, after: -300, changeAt: Date.parse("2026-11-01T06:00:00Z") },
  { id: 4, location: 30, before: 0, after: 0, changeAt: 0 },
  // Clocks go forward.
  { id: 5, location: 40, before: 780, after: 840, changeAt: Date.parse("2026-10-31T12:00:00Z") },
];
const startMs = Date.parse("2026-10-20T00:00:00Z");

const plays = Array.from({ length: 10_000 }, () => {
  const zone = pick(zones);
  // Often around the hours at which clocks change.
  const nearMs = zone.changeAt + (draw(8) - 4) * hourMs;
  const atMs =
    (draw(4) > 0 || zone.changeAt === 0 ? startMs + draw(17 * 24) * hourMs : nearMs) + draw(3600) * 1000;
  const offset = atMs < zone.changeAt ? zone.before : zone.after;
  const local = new Date(atMs + offset * 60_000).toISOString().slice(0, 19);
  return { zone, atMs, offset, local, asset: 1 + draw(4) };
});

/** Lines as [place, day, from, to, people per hour, dwell seconds or people per play, valid from, valid to]. */
type Line = readonly [string, number | undefined, string, string, string, string, string, string];
const lines: readonly Line[] = [
  ...[1, 2, 3, 4, 5, 6, 7].flatMap((day): Line[] => [
    [",10", day, "08:00", "12:30", `${10 * day}.125`, "37", "", "2026-10-24"],
    [",10", day, "08:00", "14:00", `${10 * day}`, "45", "2026-10-25", ""],
  ]),
  [",10", undefined, "00:00", "08:00", "0", "60", "", ""],
  // Zone 2 has only this line, although its location has others.
  ["2,", undefined, "01:30", "03:00", "", "2.5", "2026-10-22", "2026-10-30"],
  ["3,", undefined, "00:00", "02:00", "99999.999", "9999", "", ""],
  ["3,", 7, "02:00", "24:00", "0.001", "1", "", ""],
  ["5,", undefined, "", "", "", "0.333", "", ""],
];

/** People per play in 3,600,000ths, from a simple scan of all lines. */
function peopleAt({ zone, local }: (typeof plays)[number]): bigint | undefined {
  const [date = "", time = ""] = local.split("T");
  const day = ((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;
  const ofZone = lines.filter(([place]) => place === `${zone.id},`);
  const own = ofZone.length > 0 ? ofZone : lines.filter(([place]) => place === `,${zone.location}`);
  const found = own.filter(
    ([, on, from, to, , , validFrom, validTo]) =>
      (on ?? day) === day &&
      (from || "00:00") <= time.slice(0, 5) &&
      time.slice(0, 5) < (to || "24:00") &&
      validFrom <= date &&
      date <= (validTo || "9999"),
  );
  expect(found.length).toBeLessThan(2);
  const [line] = found;
  if (!line) return undefined;
  const [, , , , perHour, last] = line;
  const thousandths = (text: string) => {
    const [whole = "0", part = ""] = text.split(".");
    return BigInt(whole) * 1000n + BigInt(part.padEnd(3, "0"));
  };
  return perHour === "" ? thousandths(last) * 3600n : thousandths(perHour) * BigInt(last);
}

it("impressions equal a play-by-play sum of 10,000 plays with exact decimals, over both clock changes", async () => {
  const fed = await WarehouseFixture.open();
  const requestedAt = new Date("2026-11-07T06:00:00Z");
  const two = (value: number) => String(value).padStart(2, "0");
  const asset = (id: number) => ({
    asset_id: id,
    name: `Asset ${id}`,
    duration: 10,
    start_date: "",
    end_date: "",
  });
  const campaign = (id: number, assets: readonly number[]) => ({
    ...{ campaign_id: String(id), name: `Campaign ${id}`, status: "enabled", add_date: "2026-01-01" },
    ...{ start_date: "", end_date: "", rrule: "", assets: assets.map(asset) },
  });
  // Asset 1 belongs to campaigns 1 and 2, asset 4 to none.
  await fed.campaigns(
    { groupId: 1 },
    [campaign(1, [1, 2]), campaign(2, [1, 3])],
    new Date("2026-10-01T06:00:00.5Z"),
  );
  const distinct = new Map(plays.map((play) => [`${play.zone.id} ${play.atMs} ${play.asset}`, play]));
  await fed.history(
    "signage",
    [...distinct.values()].map(({ zone, local, offset, asset: id }) => {
      const size = Math.abs(offset);
      return {
        ...{ zone_id: zone.id, zone_name: `Zone ${zone.id}`, duration_secs: 10 },
        ...{ location_id: zone.location, location_name: "A place", asset_id: id, asset_name: `Asset ${id}` },
        play_start: `${local}${offset < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`,
      };
    }),
    requestedAt,
  );
  await fed.reference("footfall.csv", [
    [...footfallColumns, ...dateColumns].join(),
    ...lines.map(([place, day, from, to, perHour, last, validFrom, validTo]) =>
      [
        place,
        day,
        from,
        to,
        perHour,
        ...(perHour === "" ? [last, ""] : ["", last]),
        "counter",
        validFrom,
        validTo,
      ].join(),
    ),
  ]);
  await fed.build();

  const expected = new Map<string, { plays: number; people: bigint }>();
  const ofCampaign = new Map<string, { plays: number; people: number }>();
  for (const play of distinct.values()) {
    const people = peopleAt(play);
    if (people === undefined) continue;
    const [date, time = ""] = play.local.split("T");
    const key = [play.zone.id, play.asset, date, Number(time.slice(0, 2))].join();
    const hour = expected.get(key) ?? { plays: 0, people: 0n };
    expected.set(key, { plays: hour.plays + 1, people: hour.people + people });
    const claims = [...(play.asset < 3 ? [1] : []), ...(play.asset === 1 || play.asset === 3 ? [2] : [])];
    for (const id of claims) {
      const campaignKey = [id, play.zone.id, date].join();
      const day = ofCampaign.get(campaignKey) ?? { plays: 0, people: 0 };
      const [share, weighted] = [1 / claims.length, Number(people) / claims.length];
      ofCampaign.set(campaignKey, { plays: day.plays + share, people: day.people + weighted });
    }
  }
  const rows = await fed.warehouse.all<Record<string, number | string>>(
    `select concat_ws(',', zone_id, item_key // 4, date, play_hour) as key, covered_plays as plays,
      round(impressions * 3600000)::hugeint::varchar as people
    from mart.fact_impression_hour order by 1`,
  );
  expect(rows.length).toBeGreaterThan(1500);
  expect(rows).toEqual(
    [...expected]
      .map(([key, { plays: count, people }]) => ({ key, plays: count, people: String(people) }))
      .sort((a, b) => (a.key < b.key ? -1 : 1)),
  );
  const days = await fed.warehouse.all<{ key: string; plays: number; impressions: number }>(
    `select concat_ws(',', campaign_key // 4, zone_id, date) as key, covered_plays as plays, impressions
    from mart.fact_campaign_zone_day where impressions is not null`,
  );
  expect(days.map(({ key }) => key).sort()).toEqual([...ofCampaign.keys()].sort());
  for (const { key, plays: count, impressions } of days) {
    expect(count, key).toBeCloseTo(ofCampaign.get(key)?.plays ?? -1, 5);
    expect(impressions, key).toBeCloseTo((ofCampaign.get(key)?.people ?? -1) / 3_600_000, 5);
  }
  const [blank] = await fed.warehouse.all(
    "select count(*) as days from mart.fact_campaign_zone_day where covered_plays = 0 and impressions is not null",
  );
  expect(blank).toEqual({ days: 0 });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { buildMart } from "../../src/build/build-mart.ts";
import { runChecks } from "../../src/build/run-checks.ts";
import { dateText, dayMs } from "../../src/emulator/world/calendar-day.ts";
import { type Campaign, isEnabledIn, isListed } from "../../src/emulator/world/campaign.ts";
import { campaignRecord } from "../../src/emulator/world/content-listing.ts";
import { occursOn } from "../../src/emulator/world/recurrence.ts";
import { scheduledCampaigns } from "../../src/emulator/world/schedule.ts";
import type { TruePlay } from "../../src/emulator/world/true-play.ts";
import { World } from "../../src/emulator/world/world.ts";
import type { Zone } from "../../src/emulator/world/zone.ts";
import type { DuckDb } from "../../src/engines/duckdb.ts";
import { openWarehouse } from "../../src/engines/warehouse.ts";
import { expandRules } from "../../src/load/campaign-dates.ts";
import { loadCampaigns } from "../../src/load/load-campaigns.ts";
import { loadDevices } from "../../src/load/load-devices.ts";
import { loadHistory } from "../../src/load/load-history.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { buildOptions } from "./build-options.ts";

const contentKinds = ["signage", "messaging"] as const;
const kinds = ["music", ...contentKinds] as const;
type ContentKind = (typeof contentKinds)[number];
const loadedAt = new Date("2026-12-01T00:00:00Z");

const world = new World({ days: 44, zones: 8, playScale: 0.1 });
const { firstDay } = world.plan;
const instantOf = (days: number) => new Date((firstDay + days) * dayMs);
/** The world's campaigns change at midnight UTC of some days; listings are asked for then, and on some other days. */
const listedDays = [-1, 0, 1, 4, 5, 10, 20, 21, 29, 30, 35, 36];

it("compliance is what the world decided, cell by cell, while plays come late and campaigns change", async () => {
  const warehouse = await openWarehouse({ path: ":memory:", threads: 2 });
  onTestFinished(() => warehouse.close());
  const folder = createTempFolder();
  let landings = 0;
  const landing = (records: readonly unknown[], requestedAt: Date) => {
    landings += 1;
    const path = join(folder, `${landings}.jsonl`);
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    return { landingId: `landing ${landings}`, path, requestedAt };
  };
  const counts: Record<string, number> = {};
  for (const [until, version] of [
    [22, "v000001"],
    [48, "v000002"],
  ] as const) {
    const now = new Date(instantOf(until).getTime() + 3 * 3_600_000);
    for (let day = until === 22 ? -1 : 22; day < Math.min(until, 46); day += 1) {
      for (const groupId of world.groupIds) {
        const records = world.devices(groupId, instantOf(day));
        await loadDevices(
          warehouse,
          { groupId, ...landing(records, instantOf(day)) },
          { loadedAt, serviceTimeZone: "UTC" },
        );
      }
    }
    for (const days of listedDays.filter((day) => day <= until && (until === 22 || day > 22))) {
      const at = instantOf(days);
      for (const zone of world.zones) {
        for (const kind of contentKinds) {
          const records = campaignsOf(kind, zone, at).map((campaign) =>
            campaignRecord(
              campaign,
              isEnabledIn(campaign, zone, at.getTime()) ? "enabled" : "disabled",
              at.getTime(),
            ),
          );
          await loadCampaigns(
            warehouse,
            { kind, zoneId: zone.zoneId, ...landing(records, at) },
            { loadedAt },
          );
        }
      }
    }
    for (const kind of kinds) {
      for (const groupId of world.groupIds) {
        const lines = [...world.plays({ kind, groupId, visibleAt: now })].map((play) => historyLine(play));
        const source = { source: "export" as const, kind, groupId, isComplete: true };
        await loadHistory(warehouse, { ...source, ...landing(lines, now) }, { loadedAt });
      }
    }
    await expandRules(warehouse);
    await buildMart(warehouse, { ...buildOptions, version });

    const expected = await expectedCells(
      warehouse,
      now,
      listedDays.filter((day) => day <= until).map(instantOf),
    );
    expect(await readCells(warehouse)).toEqual(expected);
    for (const cell of expected) {
      const state = cell.split(" ")[4] ?? "";
      counts[state] = (counts[state] ?? 0) + 1;
    }
    const failures = await runChecks(warehouse, { days: "all" });
    expect(failures.filter(({ severity, failingRows }) => severity === "error" && failingRows > 0)).toEqual(
      [],
    );
  }
  for (const state of ["pending", "compliant", "closed", "missed"]) {
    expect(counts[state], state).toBeGreaterThan(20);
  }
});

/** What the service lists for a zone: campaigns of its groups. */
function campaignsOf(kind: ContentKind, zone: Zone, at: Date): Campaign[] {
  return world.plan.campaigns.filter(
    (campaign) =>
      campaign.kind === kind && zone.groupIds.includes(campaign.groupId) && isListed(campaign, at.getTime()),
  );
}

function historyLine({
  kind,
  zoneId,
  itemId,
  startedAt,
  utcOffsetMinutes,
  durationSecs,
  artistId,
}: TruePlay): object {
  const local = new Date(startedAt + utcOffsetMinutes * 60_000).toISOString().slice(0, 19);
  const size = Math.abs(utcOffsetMinutes);
  const offset = `${utcOffsetMinutes < 0 ? "-" : "+"}${String(Math.floor(size / 60)).padStart(2, "0")}:${String(size % 60).padStart(2, "0")}`;
  return {
    location_id: 1,
    location_name: "A place",
    zone_id: zoneId,
    zone_name: `Zone ${zoneId}`,
    duration_secs: durationSecs,
    play_start: `${local}${offset}`,
    ...(kind === "music"
      ? { song_id: itemId, song_name: "A song", artist_id: artistId, artist_name: "An artist" }
      : { asset_id: itemId, asset_name: "An asset" }),
  };
}

/** Every cell, from the world's plays and decisions: no SQL but for what devices did, which has a test of its own. */
async function expectedCells(warehouse: DuckDb, now: Date, listings: readonly Date[]): Promise<string[]> {
  const played = new Map<string, Map<number, number>>();
  const activeDays = new Set<string>();
  for (const kind of kinds) {
    for (const { zoneId, localDate, itemId } of world.plays({ kind, visibleAt: now })) {
      activeDays.add(`${zoneId} ${localDate}`);
      const items = played.get(`${kind} ${zoneId} ${localDate}`) ?? new Map<number, number>();
      played.set(`${kind} ${zoneId} ${localDate}`, items.set(itemId, (items.get(itemId) ?? 0) + 1));
    }
  }
  const devices = new Map(
    (
      await warehouse.all<{ day: string; is_up: boolean; is_down: boolean }>(
        `select zone_id || ' ' || date as day, sum(up_seconds) > 0 as is_up, sum(down_seconds) > 0 as is_down
        from mart.fact_device_day group by all`,
      )
    ).map((row) => [row.day, row]),
  );
  const cells: string[] = [];
  for (const kind of contentKinds) {
    for (const zone of world.zones) {
      // A device was first seen a day before the world began.
      for (
        let day = zone.clock.dayAt(instantOf(-1).getTime());
        day <= zone.clock.dayAt(now.getTime());
        day += 1
      ) {
        const key = `${zone.zoneId} ${dateText(day)}`;
        const [startMs, endMs] = [zone.clock.instantOf(day, 0), zone.clock.instantOf(day + 1, 0)];
        const scheduled = scheduledCampaigns(world.plan.campaigns, kind, zone, day);
        const hadPlays = activeDays.has(key);
        const isClosed = !hadPlays && isClosedByHabit(zone, day, activeDays);
        const { is_up: isUp = false, is_down: isDown = false } = devices.get(key) ?? {};
        const items = played.get(`${kind} ${key}`) ?? new Map<number, number>();
        const claims = new Map<Campaign, number[]>();
        for (const campaign of listedOn(kind, zone, startMs, endMs, listings)) {
          claims.set(
            campaign,
            campaign.assets.filter((asset) => isWithin(asset, day)).map(({ itemId }) => itemId),
          );
        }
        for (const [campaign, assets] of claims) {
          const isScheduled = scheduled.some((one) => one.campaign === campaign);
          const claimants = (itemId: number) =>
            scheduled.filter((one) => claims.get(one.campaign)?.includes(itemId)).length;
          const claimed = assets.filter((itemId) => isScheduled || claimants(itemId) === 0);
          const candidates = claimed.reduce((sum, itemId) => sum + (items.get(itemId) ?? 0), 0);
          if (!isScheduled && candidates === 0) continue;
          const weighted = isScheduled
            ? claimed.reduce((sum, itemId) => sum + (items.get(itemId) ?? 0) / claimants(itemId), 0)
            : 0;
          const isDoubtful = (() => {
            const after = listings.find((listing) => listing.getTime() >= endMs);
            return after !== undefined && !wouldRun(campaign, zone, day, after.getTime());
          })();
          let state = "missed";
          if (!isScheduled) state = "unscheduled";
          else if (endMs + 3 * dayMs > now.getTime()) state = "pending";
          else if (candidates > 0) state = "compliant";
          else if (isClosed) state = "closed";
          else if (isDoubtful || !(hadPlays || isUp || isDown)) state = "not_measurable";
          else if (isDown && !isUp) state = "missed_offline";
          cells.push(`${kind} ${campaign.campaignId} ${key} ${state} ${candidates} ${weighted.toFixed(3)}`);
        }
      }
    }
  }
  return cells.sort();
}

/** Campaigns that a listing in force at some time between these instants names. */
function listedOn(
  kind: ContentKind,
  zone: Zone,
  startMs: number,
  endMs: number,
  listings: readonly Date[],
): Campaign[] {
  const inForce = listings.filter((at, index) => {
    const until = listings[index + 1]?.getTime() ?? Number.POSITIVE_INFINITY;
    return (index === 0 || at.getTime() < endMs) && until > startMs;
  });
  return [...new Set(inForce.flatMap((at) => campaignsOf(kind, zone, at)))];
}

/** Whether by what was listed and enabled at an instant, a campaign was to run on a day. */
function wouldRun(campaign: Campaign, zone: Zone, day: number, atMs: number): boolean {
  if (!isListed(campaign, atMs) || !isEnabledIn(campaign, zone, atMs)) return false;
  if (!isWithin(campaign, day) || (campaign.startDay === undefined && day <= campaign.addDay)) return false;
  const isDue =
    campaign.recurrence === undefined ||
    occursOn(campaign.recurrence, campaign.startDay ?? campaign.addDay, day);
  return isDue && campaign.assets.some((asset) => isWithin(asset, day));
}

function isWithin(
  { startDay, endDay }: { startDay: number | undefined; endDay: number | undefined },
  day: number,
): boolean {
  return (startDay ?? day) <= day && day <= (endDay ?? day);
}

/** Nothing on this day of the week in the four weeks before and after, but on other days. */
function isClosedByHabit(zone: Zone, day: number, activeDays: ReadonlySet<string>): boolean {
  const isActive = (other: number) => activeDays.has(`${zone.zoneId} ${dateText(other)}`);
  const around = Array.from({ length: 57 }, (_, index) => day - 28 + index);
  return around.some(isActive) && !around.some((other) => (other - day) % 7 === 0 && isActive(other));
}

async function readCells(warehouse: DuckDb): Promise<string[]> {
  const rows = await warehouse.all(
    `select f.kind || ' ' || c.campaign_id || ' ' || f.zone_id || ' ' || f.date || ' ' || state || ' '
      || candidate_plays || ' ' || printf('%.3f', weighted_plays) as cell
    from mart.fact_campaign_zone_day as f inner join mart.dim_campaign as c using (campaign_key)`,
  );
  return rows.map(({ cell }) => String(cell)).sort();
}

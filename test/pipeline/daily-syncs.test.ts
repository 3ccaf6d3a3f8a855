import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { isError } from "../../src/build/run-checks.ts";
import type { CampaignEdit } from "../../src/emulator/options.ts";
import { dateText, dayMs } from "../../src/emulator/world/calendar-day.ts";
import type { Zone } from "../../src/emulator/world/premises/zone.ts";
import { statusAt } from "../../src/emulator/world/status.ts";
import type { World } from "../../src/emulator/world/world.ts";
import { build } from "../../src/pipeline/build.ts";
import { kinds } from "../../src/util/kind.ts";
import { withWarehouse } from "../../src/workspace/workspace.ts";
import { readDays, readOutages, readZoneDays } from "../build/device-days.ts";
import { deriveDevices, type OracleHours, type OracleSnapshot } from "../build/device-oracle.ts";
import { bearer, fetchToken } from "../emulator/small-emulator.ts";
import { isSoak, itInAll } from "../support/long-suite.ts";
import { type Setup, setNow, setUp } from "../support/service.ts";
import { CampaignTruth, type Command } from "./campaign-truth.ts";
import { openWorkspace, syncHere } from "./sync-workspace.ts";

const groupId = 58430;
const hourMs = 3_600_000;
const ratePerSecond = 1000;
/** Number of single-zone listings per sync, of sixteen. */
const fewListings = 4;
const hours = (opens: number, closes: number): [number, number] => [opens * 3600, closes * 3600];

/** Changes that the world makes to its campaigns, and that its plays follow. */
const campaignEdits: readonly CampaignEdit[] = [
  { kind: "messaging", campaignId: 2, day: 15, rule: "FREQ=WEEKLY;BYDAY=MO,TH" },
  { kind: "messaging", campaignId: 2, day: 35, rule: "FREQ=DAILY;INTERVAL=2" },
  { kind: "signage", campaignId: 10, day: 20, assetIds: [15] },
  { kind: "signage", campaignId: 8, day: 46, assetIds: [10, 17] },
  { kind: "signage", campaignId: 4, day: 26, rule: "", assetIds: [7] },
];

/** Users' changes through the service, by day; plays still follow the world's plan. */
const commands: Readonly<Record<number, readonly Command[]>> = {
  10: [{ kind: "signage", campaignId: 8, does: "disable", zoneId: 81006 }],
  15: [
    { kind: "signage", campaignId: 8, does: "enable", zoneId: 81006 },
    // Shares its asset with a campaign that always runs.
    {
      kind: "signage",
      campaignId: 1201,
      does: "create",
      groupId,
      addDay: 15,
      rule: "FREQ=WEEKLY;BYDAY=MO,WE",
    },
    { kind: "signage", campaignId: 1201, does: "link", assetId: 10 },
    // Never plays.
    {
      kind: "messaging",
      campaignId: 1201,
      does: "create",
      groupId,
      addDay: 15,
      startDay: 19,
      rule: "FREQ=DAILY",
    },
    { kind: "messaging", campaignId: 1201, does: "link", assetId: 9 },
  ],
  20: [{ kind: "signage", campaignId: 10, does: "disable", zoneId: 81008 }],
  26: [{ kind: "signage", campaignId: 8, does: "unlink", assetId: 11 }],
  30: [{ kind: "signage", campaignId: 8, does: "link", assetId: 11 }],
  35: [{ kind: "messaging", campaignId: 1201, does: "archive" }],
  46: [
    // It ended the day before.
    { kind: "signage", campaignId: 2, does: "archive" },
    { kind: "signage", campaignId: 13, does: "archive" },
  ],
  // Listings of messaging become empty in most zones, which is accepted only after a second empty listing.
  55: [2, 5, 6].map((campaignId): Command => ({ kind: "messaging", campaignId, does: "archive" })),
};

const firstSync = 2;
/** Half of the days cover most cases in half the time. */
const lastSync = isSoak ? 61 : 32;
/** Days with a changed listing, by plan or command: syncs then list all zones, otherwise few. */
const changedOn = [firstSync, 5, 10, 15, 20, 26, 30, 35, 46, 55, 56];
/** The mart is built after these days' syncs, and checked after some. */
const builtAfter = [2, 8, 31, 32, 50, 61];
const checkedAfter = [31, lastSync];

/** The configured hours, by zone. Sunday is missing, but the zone opens on it nevertheless. */
const openWeekdays = new Map([[81006, [1, 2, 3, 4, 5, 6]]]);
const timeZones = new Map([
  [81006, "America/Los_Angeles"],
  [81007, "Europe/Berlin"],
]);

itInAll(
  `${lastSync - firstSync + 1} daily syncs: compliance, uptime and outages match the emulated world, cell by cell`,
  async () => {
    const setup = await setUp({
      seed: 144,
      zones: 8,
      days: 60,
      playScale: 0.1,
      ratePerSecond,
      campaignEdits,
    });
    Object.assign(setup.environment, { VENUE_GROUP_IDS: String(groupId), VENUE_THREADS: "1" });
    writeReference(setup);
    const { world } = setup.emulator;
    const zones = world.zonesOfGroup(groupId);
    const truth = new CampaignTruth(world);
    const listed = new ListedZones(setup);
    const snapshots: OracleSnapshot[] = [];
    const states = new Set<string>();
    const token = await fetchToken(setup.emulator);
    for (let day = firstSync; day <= lastSync; day += 1) {
      // No zone's day begins between midnight and 03:00 UTC, so changes in that time are seen before they apply.
      const at = new Date((world.plan.firstDay + day) * dayMs + 3 * hourMs);
      setNow(setup, at);
      for (const command of commands[day] ?? []) await give(setup, token, truth, inWorld(command, world));
      const isBuilt = builtAfter.includes(day);
      const { failures, incomplete } = await syncHere(setup, {
        topics: ["history", "devices", "campaigns", ...(isBuilt ? (["status"] as const) : [])],
        mode: day % 40 === 5 ? "walk" : "export",
        ...(changedOn.includes(day) ? {} : { campaignMinutes: (fewListings + 0.5) / 60 / ratePerSecond }),
      });
      expect([...failures, ...incomplete], dateText(world.plan.firstDay + day)).toEqual([]);
      listed.note(at);
      snapshots.push(...snapshotsAt(world, at));
      if (isBuilt) {
        const { checks } = await build(openWorkspace(setup));
        expect(checks.filter(isError)).toEqual([]);
      }
      if (checkedAfter.includes(day)) {
        const told = deriveExpected(world, zones, snapshots, at);
        const cells = truth.cells({
          ...{ zones, now: at, openWeekdays, devices: daysOf(told.zoneDays) },
          listedAtMs: (kind, zoneId) => listed.instants(kind, zoneId),
        });
        for (const cell of cells) states.add(cell.split(/[ /]/)[4] ?? "");
        await withWarehouse(openWorkspace(setup), async (warehouse) => {
          const rows = await warehouse.all<{ cell: string }>(
            `select f.kind || ' ' || c.campaign_id || ' ' || f.zone_id || ' ' || f.date || ' ' || state || '/' || coalesce(reason, '-') || ' '
            || candidate_plays || ' ' || printf('%.3f', weighted_plays) || ' ' || is_assumed || ' '
            || coalesce(due_times::varchar, '-') || ' ' || coalesce(met_times::varchar, '-') as cell
          from mart.fact_campaign_zone_day as f inner join mart.dim_campaign as c using (campaign_key)`,
          );
          expect(rows.map(({ cell }) => cell).sort(), `day ${day}`).toEqual(cells);
          expect(await readDays(warehouse), `day ${day}`).toEqual(Object.fromEntries([...told.days].sort()));
          expect(await readZoneDays(warehouse)).toEqual(Object.fromEntries([...told.zoneDays].sort()));
          expect(await readOutages(warehouse)).toEqual(Object.fromEntries([...told.outages].sort()));
          if (day !== lastSync) return;
          expect(told.outages.size).toBeGreaterThan(2);
          const late = await warehouse.get<{ changed: number }>(
            "select sum(states_changed)::bigint as changed from mart.fact_restatement",
          );
          expect(late.changed).toBeGreaterThan(0);
        });
      }
      // On some days devices are checked again.
      if (day % 3 === 1) {
        const later = new Date(at.getTime() + 12 * hourMs);
        setNow(setup, later);
        expect((await syncHere(setup, { topics: ["devices"] })).failures).toEqual([]);
        snapshots.push(...snapshotsAt(world, later));
      }
    }
    expect([...states].sort()).toEqual([
      "closed",
      "compliant",
      "missed",
      "missed_offline",
      // Does not occur in the first month.
      ...(lastSync > 32 ? ["not_measurable"] : []),
      "pending",
      "unscheduled",
    ]);
  },
  900_000,
);

/** Request times of single zones' campaigns, from the service's log. */
class ListedZones {
  readonly #setup: Setup;
  readonly #instants = new Map<string, number[]>();
  #seenRequests = 0;

  constructor(setup: Setup) {
    this.#setup = setup;
  }

  /** Notes requests since the last call as of this instant. */
  note(at: Date): void {
    const { requests } = this.#setup.emulator;
    for (const { path, query } of requests.slice(this.#seenRequests)) {
      const [, kind] = /\/ext\/(\w+)\/campaigns\/zone$/.exec(path) ?? [];
      if (kind) this.instants(kind, Number(new URLSearchParams(query).get("zone_id"))).push(at.getTime());
    }
    this.#seenRequests = requests.length;
  }

  instants(kind: string, zoneId: number): number[] {
    const instants = this.#instants.get(`${kind} ${zoneId}`) ?? [];
    this.#instants.set(`${kind} ${zoneId}`, instants);
    return instants;
  }
}

function writeReference(setup: Setup): void {
  const { reference } = openWorkspace(setup).folder;
  const opening = [...openWeekdays].flatMap(([zoneId, days]) =>
    days.map((day) => `${zoneId},${day},08:00,20:00`),
  );
  const named = [...timeZones].map(([zoneId, name]) => `${zoneId},${name}`);
  writeFileSync(
    join(reference, "opening_hours.csv"),
    `zone_id,day_of_week,opens,closes\n${opening.join("\n")}\n`,
  );
  writeFileSync(join(reference, "zone_time_zones.csv"), `zone_id,time_zone\n${named.join("\n")}\n`);
}

/** Days of created campaigns are relative to the world's first. */
function inWorld(command: Command, { plan }: World): Command {
  if (command.does !== "create") return command;
  const { startDay, addDay, ...rest } = command;
  const start = startDay === undefined ? {} : { startDay: plan.firstDay + startDay };
  return { ...rest, ...start, addDay: plan.firstDay + addDay };
}

async function give(
  { emulator }: Setup,
  token: string,
  truth: CampaignTruth,
  command: Command,
): Promise<void> {
  const { kind, campaignId } = command;
  const send = async (method: string, path: string, body: object) => {
    const answer = await fetch(`${emulator.baseUrl}/ext/${kind}/campaign/${path}`, {
      method,
      headers: { "Content-Type": "application/json", ...bearer(token) },
      body: JSON.stringify(body),
    });
    expect([answer.status, await answer.text()]).toEqual([200, "true"]);
  };
  const campaign = { campaign_id: campaignId };
  if (command.does === "create") {
    const { rule, startDay } = command;
    const dates = startDay === undefined ? {} : { start_date: dateText(startDay) };
    await send("POST", "group", { group_id: command.groupId, name: "A new one", rrule: rule, ...dates });
  } else if (command.does === "archive") {
    const planned = emulator.world.plan.campaigns.find(
      (one) => one.kind === kind && one.campaignId === campaignId,
    );
    await send("DELETE", "group", { group_id: planned?.groupId ?? groupId, ...campaign });
  } else if ("assetId" in command) {
    const [method, path] = command.does === "link" ? ["POST", "add_asset"] : ["DELETE", "remove_asset"];
    await send(method ?? "", path ?? "", { ...campaign, asset_id: command.assetId });
  } else {
    await send("POST", command.does, { zone_id: command.zoneId, ...campaign });
  }
  truth.note(emulator.now().getTime(), command);
}

function snapshotsAt(world: World, at: Date): OracleSnapshot[] {
  return world.devices(groupId, at).map((device) => ({
    groupId,
    at: at.getTime() / 1000,
    deviceId: device.device_id,
    zoneId: device.zone_id,
    status: device.status,
    lastOnlineAt: Date.parse(`${device.last_online_date.replace(" ", "T")}Z`) / 1000,
  }));
}

/** Zone by zone, to bound memory: each second takes some bytes. */
function deriveExpected(
  world: World,
  zones: readonly Zone[],
  snapshots: readonly OracleSnapshot[],
  at: Date,
) {
  const planned = statusAt(world.plan, at.getTime()).notices.flatMap(({ notice }) => {
    const { type, state, began_at: began, ended_at: ended } = notice;
    if (type !== "planned" || state === "cancelled" || !began) return [];
    return [
      { from: Date.parse(began) / 1000, until: ended ? Date.parse(ended) / 1000 : Number.MAX_SAFE_INTEGER },
    ];
  });
  const told = zones.map(({ zoneId }) =>
    deriveDevices({
      snapshots: snapshots.filter((snapshot) => snapshot.zoneId === zoneId),
      plays: kinds
        .flatMap((kind) => [...world.plays({ kind, zoneIds: [zoneId], visibleAt: at })])
        .map(({ startedAt, durationSecs, utcOffsetMinutes: offsetMinutes }) => ({
          ...{ zoneId, startedAt: startedAt / 1000, durationSecs, offsetMinutes },
        })),
      timeZones,
      hours: new Map([...openWeekdays].map(([id, days]) => [id, openOn(days)])),
      planned,
      historyUntil: at.getTime() / 1000,
    }),
  );
  return {
    days: new Map(told.flatMap(({ days }) => [...days])),
    zoneDays: new Map(told.flatMap(({ zoneDays }) => [...zoneDays])),
    outages: new Map(told.flatMap(({ outages }) => [...outages])),
  };
}

function openOn(weekdays: readonly number[]): OracleHours {
  return Object.fromEntries(weekdays.map((weekday) => [weekday, [hours(8, 20)]]));
}

function daysOf(zoneDays: ReturnType<typeof deriveDevices>["zoneDays"]) {
  return new Map([...zoneDays].map(([key, { up, down }]) => [key, { isUp: up > 0, isDown: down > 0 }]));
}

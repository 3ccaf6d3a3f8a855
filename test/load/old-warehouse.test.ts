import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { HistoryLanding } from "../../src/load/history/load-history.ts";
import type { Kind } from "../../src/util/kind.ts";
import { type MartRows, WarehouseFixture } from "../build/warehouse-fixture.ts";
import type { ListingOwner } from "../support/load-listing.ts";
import { itEachLimited, itInAll } from "../support/long-suite.ts";

const folder = new URL("../fixtures/old-warehouse/", import.meta.url);

type FixtureLanding = { requestedAt: string; records: object[] } & (
  | { of: "campaigns"; kind: "signage" | "messaging"; owner: ListingOwner }
  | { of: "devices"; groupId: number }
  | {
      of: "history";
      kind: Kind;
      source: Pick<HistoryLanding, "source" | "groupId" | "zoneId" | "isComplete">;
    }
);

const landings: FixtureLanding[] = JSON.parse(readFileSync(new URL("landings.json", folder), "utf8"));

async function feed(fed: WarehouseFixture, landing: FixtureLanding): Promise<void> {
  const { records } = landing;
  const requestedAt = new Date(landing.requestedAt);
  if (landing.of === "campaigns") await fed.campaigns(landing.owner, records, requestedAt, landing.kind);
  else if (landing.of === "devices") await fed.devices(landing.groupId, records, requestedAt);
  else await fed.history(landing.kind, records, requestedAt, landing.source);
}

/** A warehouse left by version 0.1, opened with current code. */
async function openOld(): Promise<WarehouseFixture> {
  const database = gunzipSync(readFileSync(new URL("warehouse.duckdb.gz", folder)));
  return await WarehouseFixture.open({ database, landings: landings.length, version: "v000001" });
}

/** The same landings, all loaded by current code. */
const openNew = WarehouseFixture.prepareCopies(async (fed) => {
  for (const landing of landings) await feed(fed, landing);
  await fed.build();
  await fed.publish();
});

/** Results of loads, without hashes. */
async function coreOf({ warehouse }: WarehouseFixture) {
  const sorted = (sql: string) => warehouse.all(`${sql} order by all`);
  return {
    plays: await sorted("select * exclude (line_hash) from core.play"),
    loads: await sorted("select * from core.load"),
    rejects: await sorted("select * from core.reject"),
    names: await sorted("select * from core.name_span"),
    locations: await sorted("select * from core.zone_location_span"),
    sightings: await sorted("select * from core.zone_group_sighting"),
    zoneDays: await sorted("select * from core.zone_day"),
    dirty: await sorted("select distinct * from core.dirty_day"),
  };
}

const [music] = landings.filter((landing) => landing.of === "history" && landing.kind === "music");
if (!music) throw new Error("the fixture has no export of music");
const { records } = music;
const play = (playStart: string, values: object = {}) => ({
  ...records[0],
  play_start: playStart,
  ...values,
});
/** A later request of the export. */
const asked = (date: string, lines: object[]): FixtureLanding => ({
  ...music,
  requestedAt: `${date}T00:00:00.000Z`,
  records: lines,
});

describe("a warehouse from before lines were hashed", () => {
  it("matches one filled by today's code alone", async () => {
    const [old, today] = [await openOld(), await openNew()];
    expect(await coreOf(old)).toEqual(await coreOf(today));
  });

  const comings: Record<string, FixtureLanding[]> = {
    "successive exports": [
      asked("2026-10-12", records),
      asked("2026-10-13", [...records, play("2026-10-12T10:00:00+02:00"), play("2026-10-02T05:55:00+02:00")]),
      asked("2026-10-14", [...records, play("2026-10-13T10:00:00+02:00")]),
    ],
    "a lost line": [
      asked(
        "2026-10-12",
        records.filter((_, index) => index !== 100),
      ),
    ],
    "the same export": [asked("2026-10-12", records)],
    "a longer export": [
      asked("2026-10-12", [
        ...records,
        play("2026-10-11T10:00:00+02:00"),
        play("2026-10-11T11:00:00+02:00", { zone_id: 2 }),
      ]),
    ],
    "a late line": [asked("2026-10-12", [play("2026-10-03T03:33:00+02:00"), ...records])],
    "a line that changed": [
      asked(
        "2026-10-12",
        records.map((record, index) => (index === 100 ? { ...record, duration_secs: 999 } : record)),
      ),
    ],
  };

  itEachLimited(
    Object.keys(comings),
    0,
    2,
  )("%s has the same effect as in another warehouse", async (label) => {
    const [old, today] = [await openOld(), await openNew()];
    for (const landing of comings[label] ?? []) {
      await feed(old, landing);
      await feed(today, landing);
      expect(await coreOf(old)).toEqual(await coreOf(today));
      await old.build();
      await today.build();
      expect(await martOf(old)).toEqual(await martOf(today));
    }
  });

  itInAll("has hashes after the next complete export, and reads few lines of the following one", async () => {
    const old = await openOld();
    const withoutHash = async () =>
      await old.warehouse.all(
        "select kind, zone_id, count(*) as plays from core.play where line_hash is null group by all order by all",
      );
    expect(await withoutHash()).toHaveLength(6);
    const expected: Partial<Record<Kind, number>> = { music: 5, signage: 0, messaging: 0 };
    for (const landing of landings.filter((one) => one.of === "history" && one.source.source === "export")) {
      if (landing.of !== "history") continue;
      await feed(old, landing);
      await feed(old, landing);
      // Rejects, and a line that contradicts another.
      const { lines } = await old.warehouse.get<{ lines: number }>(
        "select count(*) as lines from temp.fresh_line",
      );
      expect(lines).toBe(expected[landing.kind]);
    }
    // Two lines contradict each other on one play, and a walk's plays are in no export.
    expect(await withoutHash()).toEqual([
      { kind: "music", zone_id: 1, plays: 1 },
      { kind: "music", zone_id: 3, plays: 3 },
    ]);
  });
});

/** The mart, with rule dates limited to the zones' days: how far they extend beyond varies. */
async function martOf(fed: WarehouseFixture): Promise<MartRows> {
  const { "mart.fact_rule_date": dates = [], ...mart } = await fed.mart();
  const days = await fed.warehouse.all<{ date: string }>("select distinct date from core.zone_day");
  const known = new Set(days.map(({ date }) => date));
  return { ...mart, "mart.fact_rule_date": dates.filter((row) => known.has(JSON.parse(row).date)) };
}

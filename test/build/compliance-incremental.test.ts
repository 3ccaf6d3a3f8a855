import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { buildMart } from "../../src/build/build-mart.ts";
import type { DuckDb } from "../../src/engines/duckdb.ts";
import { listModels } from "../../src/engines/model.ts";
import { openWarehouse } from "../../src/engines/warehouse.ts";
import { applyReference } from "../../src/load/apply-reference.ts";
import { expandRules } from "../../src/load/campaign-dates.ts";
import { loadCampaigns } from "../../src/load/load-campaigns.ts";
import { loadDevices } from "../../src/load/load-devices.ts";
import { loadHistory } from "../../src/load/load-history.ts";
import type { ListingOwner } from "../../src/load/load-listing.ts";
import { versionAfter } from "../../src/publish/published-versions.ts";
import { recordPublished } from "../../src/publish/record-published.ts";
import { randomNumbers } from "../support/random-numbers.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { buildOptions } from "./build-options.ts";

const loadedAt = new Date("2026-12-31T00:00:00Z");
const dayMs = 86_400_000;

/** A warehouse that is fed as a sync feeds it, and built as a run builds it. */
class Fed {
  readonly warehouse: DuckDb;
  readonly folder = createTempFolder();
  version = "v000000";
  settleDays = 3;
  #landings = 0;

  constructor(warehouse: DuckDb) {
    this.warehouse = warehouse;
  }

  #landing(records: readonly unknown[], requestedAt: Date) {
    this.#landings += 1;
    const path = join(this.folder, `${this.#landings}.jsonl`);
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    return { landingId: `landing ${this.#landings}`, path, requestedAt };
  }

  /** Plays as `[zone, asset or song, local start]`. */
  async history(
    kind: "music" | "signage" | "messaging",
    plays: readonly [zoneId: number, itemId: number, start: string][],
    requestedAt: Date,
    isComplete = true,
  ): Promise<void> {
    const lines = plays.map(([zoneId, itemId, start]) => ({
      zone_id: zoneId,
      zone_name: `Zone ${zoneId}`,
      location_id: 1,
      location_name: "A place",
      duration_secs: 10,
      play_start: `${start}+00:00`,
      ...(kind === "music"
        ? { song_id: itemId, song_name: "A song", artist_id: 1, artist_name: "An artist" }
        : { asset_id: itemId, asset_name: "An asset" }),
    }));
    const source = { source: "export" as const, kind, groupId: 1, isComplete };
    await loadHistory(this.warehouse, { ...source, ...this.#landing(lines, requestedAt) }, { loadedAt });
  }

  async campaigns(owner: ListingOwner, records: readonly object[], requestedAt: Date): Promise<void> {
    await loadCampaigns(
      this.warehouse,
      { kind: "signage", ...owner, ...this.#landing(records, requestedAt) },
      { loadedAt },
    );
  }

  async devices(
    groupId: number,
    states: readonly (readonly [zoneId: number, status: string])[],
    requestedAt: Date,
  ): Promise<void> {
    const records = states.map(([zoneId, status]) => ({
      zone_id: zoneId,
      device_id: zoneId + 100,
      status,
      last_online_date: new Date(
        requestedAt.getTime() - (status === "online" ? 60_000 : 40 * 3_600_000),
      ).toISOString(),
      location: { location_id: 1, name: "A place" },
    }));
    await loadDevices(
      this.warehouse,
      { groupId, ...this.#landing(records, requestedAt) },
      { loadedAt, serviceTimeZone: "UTC" },
    );
  }

  async reference(name: string, lines: readonly string[]): Promise<void> {
    writeFileSync(join(this.folder, name), `${lines.join("\n")}\n`);
    await applyReference(this.warehouse, this.folder);
  }

  async build(): Promise<void> {
    this.version = versionAfter([this.version]);
    await expandRules(this.warehouse);
    await buildMart(this.warehouse, { ...buildOptions, version: this.version, settleDays: this.settleDays });
  }

  async publish(): Promise<void> {
    await recordPublished(this.warehouse, this.version, buildOptions.builtAt);
  }

  /** Builds, and answers the days of signage cells that were built again since the last publish. */
  async rebuiltDays(): Promise<string[]> {
    await this.build();
    const days = await this.warehouse.all(
      "select date from core.unpublished_campaign_day where kind = 'signage' order by 1",
    );
    await this.publish();
    return days.map(({ date }) => String(date).slice(5));
  }

  async states(): Promise<Record<string, string>> {
    const rows = await this.warehouse.all(
      "select date, state from mart.fact_campaign_zone_day where zone_id = 1 order by 1",
    );
    return Object.fromEntries(rows.map(({ date, state }) => [String(date).slice(5), String(state)]));
  }
}

const campaign = (id: number, assets: readonly number[], values: object = {}) => ({
  campaign_id: String(id),
  name: `Campaign ${id}`,
  status: "enabled",
  add_date: "2026-01-01",
  start_date: "",
  end_date: "",
  rrule: "",
  assets: assets.map((assetId) => ({
    asset_id: assetId,
    name: `Asset ${assetId}`,
    duration: 10,
    start_date: "",
    end_date: "",
  })),
  ...values,
});

let fed: Fed;
beforeEach(async () => {
  const warehouse = await openWarehouse({ path: ":memory:", threads: 1 });
  onTestFinished(() => warehouse.close());
  fed = new Fed(warehouse);
});

it.each([2])(
  "50 random steps: what is built by day is what it would be from nothing (seed %i)",
  async (seed) => {
    const random = randomNumbers(seed);
    const models = listModels().filter(({ schema, built }) => schema === "mart" && built.by === "day");
    expect(models.length).toBeGreaterThan(2);
    const states = new Set<string>();
    let mostCells = 0;
    let now = Date.parse("2026-10-01T06:00:00Z");
    const at = (daysBack: number) => new Date(now - random(daysBack + 1) * dayMs - random(dayMs));
    const day = () => at(40).toISOString().slice(0, 10);
    for (let step = 0; step < 50; step += 1) {
      now += random(3) * (dayMs / 2);
      const action = random(10);
      const owner = random(2) === 0 ? { groupId: 1 + random(2) } : { zoneId: 1 + random(3) };
      if (action < 3) {
        const kind = (["music", "signage", "messaging"] as const)[random(3)] ?? "music";
        const plays = Array.from({ length: random(8) }, (): [number, number, string] => [
          1 + random(3),
          1 + random(3),
          `${day()}T1${random(10)}:00:00`,
        ]);
        await fed.history(kind, plays, new Date(now), random(3) > 0);
      } else if (action < 7) {
        const records = [1, 2, 3].flatMap((id) =>
          random(4) === 0
            ? []
            : [
                campaign(id, [id, 1 + random(3)].slice(0, 1 + random(2)), {
                  status: random(3) === 0 ? "disabled" : "enabled",
                  start_date: random(5) === 0 ? day() : "",
                  end_date: random(5) === 0 ? day() : "",
                  rrule: ["", "FREQ=DAILY;INTERVAL=2", "FREQ=WEEKLY;BYDAY=MO,TH"][random(3)],
                }),
              ],
        );
        await fed.campaigns(owner, random(5) === 0 ? [] : records, random(3) === 0 ? at(30) : new Date(now));
      } else if (action < 9) {
        const states = [1, 2, 3].flatMap((zoneId) =>
          random(4) === 0 ? [] : [[zoneId, ["online", "offline", "odd"][random(3)] ?? ""] as const],
        );
        await fed.devices(1 + random(2), states, new Date(now));
      } else if (random(2) === 0) {
        const hours = [1, 2, 3, 4, 5, 6]
          .filter(() => random(2) === 0)
          .map((weekday) => `1,${weekday},08:00,20:00`);
        await fed.reference("opening_hours.csv", ["zone_id,day_of_week,opens,closes", ...hours]);
      } else {
        fed.settleDays = 1 + random(4);
        const zone = ["Europe/Berlin", "America/New_York"][random(2)];
        await fed.reference("zone_time_zones.csv", [
          "zone_id,time_zone",
          ...(random(2) === 0 ? [`2,${zone}`] : []),
        ]);
      }
      await fed.build();
      if (random(3) === 0) await fed.publish();
      const cells = await fed.warehouse.all("select state from mart.fact_campaign_zone_day");
      mostCells = Math.max(mostCells, cells.length);
      for (const { state } of cells) states.add(String(state));
      for (const { name, sql } of models) {
        const rows = (text: string) => fed.warehouse.all(`select * from (${text}\n) as model order by all`);
        expect(await rows(`select * from ${name}`), `${name} after step ${step}`).toEqual(await rows(sql));
      }
    }
    expect(mostCells).toBeGreaterThan(50);
    expect(states.size).toBeGreaterThan(3);
  },
  300_000,
);

describe("rebuilds only what it touches", () => {
  beforeEach(async () => {
    await fed.devices(1, [[1, "online"]], new Date("2026-09-01T06:00:00Z"));
    await fed.campaigns({ zoneId: 1 }, [campaign(1, [1])], new Date("2026-09-01T06:00:00Z"));
    const days = Array.from({ length: 70 }, (_, index) => new Date(Date.parse("2026-09-01") + index * dayMs));
    const plays = days.map((date): [number, number, string] => [
      1,
      9,
      `${date.toISOString().slice(0, 10)}T12:00:00`,
    ]);
    await fed.history("music", plays, new Date("2026-11-10T06:00:00Z"));
    await fed.history("signage", [[1, 1, "2026-11-09T12:00:00"]], new Date("2026-11-10T06:00:00Z"));
    await fed.rebuiltDays();
  });

  it("nothing new: nothing", async () => {
    expect(await fed.rebuiltDays()).toEqual([]);
  });

  it("a late play of two months ago: its day; missed turns into compliant, and the restatement says so", async () => {
    expect((await fed.states())["09-03"]).toBe("missed");
    const plays: [number, number, string][] = [
      [1, 1, "2026-09-03T12:00:00"],
      [1, 1, "2026-11-09T12:00:00"],
    ];
    await fed.history("signage", plays, new Date("2026-11-10T07:00:00Z"));
    // The running day is there already; one hour later no other day is settled.
    expect(await fed.rebuiltDays()).toEqual(["09-03"]);
    expect((await fed.states())["09-03"]).toBe("compliant");
    expect(
      await fed.warehouse.all(
        "select date, plays_before, plays_after, states_changed from mart.fact_restatement where version = ?",
        [fed.version],
      ),
    ).toEqual([{ date: "2026-09-03", plays_before: 0, plays_after: 1, states_changed: 1 }]);
  });

  it("the settle window passing: the days that it passes, and the new ones; pending is no state that is restated", async () => {
    expect(await fed.states()).toMatchObject({ "11-06": "missed", "11-07": "pending", "11-09": "pending" });
    await fed.history("signage", [[1, 1, "2026-11-09T12:00:00"]], new Date("2026-11-12T06:00:00Z"));
    expect(await fed.rebuiltDays()).toEqual(["11-07", "11-08", "11-11", "11-12"]);
    expect(await fed.states()).toMatchObject({ "11-07": "missed", "11-08": "missed", "11-09": "pending" });
    expect(
      await fed.warehouse.all("select date from mart.fact_restatement where version = ?", [fed.version]),
    ).toEqual([]);
  });

  it("a listing that says the same: the days next to it", async () => {
    await fed.campaigns({ zoneId: 1 }, [campaign(1, [1])], new Date("2026-11-09T06:00:00Z"));
    await fed.rebuiltDays();
    await fed.campaigns({ zoneId: 1 }, [campaign(1, [1])], new Date("2026-11-10T06:00:00Z"));
    expect(await fed.rebuiltDays()).toEqual(["11-08", "11-09", "11-10"]);
  });

  it("a listing that says something else: the days from then on", async () => {
    await fed.campaigns(
      { zoneId: 1 },
      [campaign(1, [1], { status: "disabled" })],
      new Date("2026-11-09T06:00:00Z"),
    );
    const rebuilt = await fed.rebuiltDays();
    // The listing before is of September 1: days up to this one have it as the first after them.
    expect(rebuilt.at(-1)).toBe("11-10");
    expect((await fed.states())["11-05"]).toBe("not_measurable");
  });

  it("a changed setting of days to settle: the days that it moves", async () => {
    fed.settleDays = 5;
    expect(await fed.rebuiltDays()).toEqual(["11-05", "11-06"].filter((day) => day > "11-04"));
    expect(await fed.states()).toMatchObject({ "11-04": "missed", "11-05": "pending", "11-06": "pending" });
  });

  it("opening hours: the days without plays that they open or close", async () => {
    await fed.devices(1, [[1, "online"]], new Date("2026-11-14T06:00:00Z"));
    await fed.history("signage", [[1, 1, "2026-11-09T12:00:00"]], new Date("2026-11-30T06:00:00Z"));
    await fed.rebuiltDays();
    await fed.reference("opening_hours.csv", ["zone_id,day_of_week,opens,closes", "1,1,08:00,20:00"]);
    const rebuilt = await fed.rebuiltDays();
    // Music played up to November 9, a Monday.
    expect(rebuilt.filter((day) => day < "11-10")).toEqual([]);
    expect(rebuilt).toContain("11-11");
    expect(rebuilt).not.toContain("11-16");
    expect(await fed.states()).toMatchObject({ "11-11": "closed" });
  });
});

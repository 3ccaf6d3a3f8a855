import { footfallColumns } from "../../src/load/reference/footfall.ts";
import { dateColumns } from "../../src/load/reference/valid-dates.ts";
import { type Kind, kinds } from "../../src/util/kind.ts";
import type { ListingOwner } from "../support/load-listing.ts";
import type { WarehouseFixture } from "./warehouse-fixture.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const contentKinds = ["signage", "messaging"] as const;
const groupIds = [1, 2] as const;

/** A service's data and configuration, loaded into one warehouse or divided among several. */
export type Fed = Pick<
  WarehouseFixture,
  "history" | "campaigns" | "assets" | "devices" | "notices" | "reference" | "options" | "serviceTimeZone"
>;

interface Play {
  kind: Kind;
  zoneId: number;
  itemId: number;
  startedAtMs: number;
  seconds: number;
  /** Offset in minutes, as written. */
  offset: number;
}

/** Each zone's clock: minutes ahead of UTC before and after an instant. */
const clocks: Readonly<Record<number, readonly [before: number, after: number, changeAt: string]>> = {
  1: [120, 60, "2026-10-25T01:00:00Z"],
  2: [-240, -300, "2026-11-01T06:00:00Z"],
  3: [330, 330, "2026-10-25T01:00:00Z"],
  4: [0, 0, "2026-10-25T01:00:00Z"],
};
const zoneIds = Object.keys(clocks).map(Number);
/** Some end on days of clock changes or near midnight. */
const rules = [
  "FREQ=DAILY;INTERVAL=2",
  "FREQ=WEEKLY;BYDAY=MO,TH",
  "FREQ=HOURLY;COUNT=700",
  "FREQ=DAILY;BYHOUR=9,12,18;BYMINUTE=0,30",
  "FREQ=DAILY;BYHOUR=2;UNTIL=20261025T013000Z",
  "FREQ=DAILY;BYHOUR=1;BYMINUTE=45;UNTIL=20261101T063000Z",
  "FREQ=DAILY;BYHOUR=0,12;UNTIL=20261028T225959Z",
  "FREQ=ODD",
];
const timeZones = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland"];

/** A venue with random activity, and its service: every step is one kind of change. */
export class RandomVenue {
  readonly #fed: Fed;
  readonly #random: (n: number) => number;
  readonly #plays = new Map<string, Play>();
  #nowMs = Date.parse("2026-10-12T06:00:00Z");
  #names = 0;
  /** The owner whose listing of campaigns was empty, and whose next one will be, too. */
  #confirm: { owner: ListingOwner; kind: "signage" | "messaging" } | undefined;
  /** Last listing of campaigns, by owner and kind. */
  readonly #listedAt = new Map<string, Date>();
  readonly #listsAgain: boolean;

  readonly steps: Readonly<Record<string, () => Promise<void>>> = {
    "one more day": () => this.#oneMoreDay(),
    "a late file": () => this.#lateFile(),
    "plays that grow or vanish": () => this.#playsChange(),
    "other offsets": () => this.#otherOffsets(),
    "a listing of campaigns": () => this.#campaigns(this.#nowMs),
    "an old listing of campaigns": () => this.#campaigns(this.#nowMs - this.#random(40 * dayMs)),
    "a listing of assets": () => this.#assets(),
    "a snapshot of devices": () => this.#devices(this.#nowMs),
    "more snapshots of devices": () => this.#daysOfDevices(),
    "an old snapshot of devices": () => this.#devices(this.#nowMs - this.#random(20 * dayMs)),
    "days settle": () => this.#settle(),
    "opening hours": () => this.#openingHours(),
    "kinds of zones": () => this.#zoneKinds(),
    "time zones": () => this.#timeZones(),
    footfall: () => this.#footfall(),
    "group names": () => this.#groupNames(),
    maintenance: () => this.#maintenance(),
    "other settings": () => this.#otherSettings(),
  };

  /** @param listsAgain whether a listing may replace another of the same instant. @default false */
  constructor(fed: Fed, random: (n: number) => number, { listsAgain = false } = {}) {
    this.#fed = fed;
    this.#random = random;
    this.#listsAgain = listsAgain;
  }

  /** Two months of history, a week of device snapshots, and first listings of campaigns. */
  async begin(): Promise<void> {
    for (let day = 60; day > 0; day -= 1) this.#play(this.#nowMs - day * dayMs);
    for (let ago = 14; ago > 0; ago -= 1) await this.#devices(this.#nowMs - ago * 12 * hourMs);
    for (const groupId of groupIds) {
      await this.#export(groupId, kinds);
      await this.#devices(this.#nowMs, groupId);
      for (const kind of contentKinds) {
        await this.#fed.campaigns({ groupId }, this.#someCampaigns(), this.#at(this.#nowMs), kind);
      }
    }
  }

  #at(atMs: number): Date {
    // Requests never fall on a whole second.
    return new Date(Math.floor(atMs / 1000) * 1000 + this.#random(1000));
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#random(items.length)] as Item;
  }

  #some<Item>(items: readonly Item[], oneIn = 2): Item[] {
    return items.filter(() => this.#random(oneIn) === 0);
  }

  #isIn(zoneId: number, groupId: number): boolean {
    return groupId === 1 ? zoneId <= 2 : zoneId >= 2;
  }

  #play(dayMsStart: number): Play[] {
    const played: Play[] = [];
    for (const zoneId of zoneIds) {
      const midnight = Math.floor(dayMsStart / dayMs) * dayMs;
      const isSunday = new Date(midnight).getUTCDay() === 0;
      if ((zoneId === 1 && isSunday) || (zoneId === 4 && this.#random(3) > 0)) continue;
      if (this.#random(12) === 0) continue;
      for (const kind of kinds) {
        for (let count = this.#random(4); count > 0; count -= 1) {
          const local = midnight + (8 + this.#random(19)) * hourMs + this.#random(3600) * 1000;
          played.push(this.#add(kind, zoneId, local));
        }
      }
    }
    return played;
  }

  #add(kind: Kind, zoneId: number, localMs: number): Play {
    const [before, after, changeAt] = clocks[zoneId] ?? [0, 0, ""];
    const offset = localMs - before * 60_000 < Date.parse(changeAt) ? before : after;
    const startedAtMs = localMs - offset * 60_000;
    const itemId = 1 + this.#random(4);
    const seconds = this.#random(9) === 0 ? 0 : 5 + this.#random(60);
    const play = { kind, zoneId, itemId, startedAtMs, seconds, offset };
    this.#plays.set(`${kind} ${zoneId} ${startedAtMs} ${itemId}`, play);
    return play;
  }

  /** A complete export of a group contains all plays of its zones up to now. */
  async #export(groupId: number, ofKinds: readonly Kind[]): Promise<void> {
    for (const kind of ofKinds) {
      const plays = [...this.#plays.values()].filter(
        (play) => play.kind === kind && this.#isIn(play.zoneId, groupId) && play.startedAtMs <= this.#nowMs,
      );
      await this.#history(kind, plays, { source: "export", groupId, isComplete: true });
    }
  }

  async #history(
    kind: Kind,
    plays: readonly Play[],
    source: Parameters<WarehouseFixture["history"]>[3],
    atMs = this.#nowMs,
  ): Promise<void> {
    await this.#fed.history(
      kind,
      plays.map((play) => this.#line(play)),
      this.#at(atMs),
      source,
    );
  }

  #line({ kind, zoneId, itemId, startedAtMs, seconds, offset }: Play): object {
    const local = new Date(startedAtMs + offset * 60_000).toISOString().slice(0, 19);
    const size = Math.abs(offset);
    const two = (number: number) => String(number).padStart(2, "0");
    const name = this.#random(40) === 0 ? ` ${this.#random(3)}` : "";
    return {
      zone_id: zoneId,
      zone_name: `Zone ${zoneId}${name}`,
      location_id: this.#random(60) === 0 ? 9 : zoneId,
      location_name: `Place${name}`,
      duration_secs: seconds,
      play_start: `${local}${offset < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`,
      ...(kind === "music"
        ? { song_id: itemId, song_name: `Song${name}`, artist_id: 1 + (itemId % 2), artist_name: "An artist" }
        : { asset_id: itemId, asset_name: `Asset${name}` }),
    };
  }

  async #oneMoreDay(): Promise<void> {
    this.#play(this.#nowMs);
    this.#nowMs += dayMs + this.#random(3 * hourMs);
    await this.#export(this.#pick(groupIds), this.#random(3) === 0 ? this.#some(kinds) : kinds);
  }

  /** Loads a file with a day from about two months back. */
  async #lateFile(): Promise<void> {
    const kind = this.#pick(kinds);
    const zoneId = this.#pick(zoneIds);
    const midnight = Math.floor(this.#nowMs / dayMs - 50 - this.#random(30)) * dayMs;
    const plays = Array.from({ length: 1 + this.#random(3) }, () =>
      this.#add(kind, zoneId, midnight + this.#random(24 * 3600) * 1000),
    );
    await this.#history(
      kind,
      plays,
      this.#pick([
        { source: "file", isComplete: false },
        { source: "walk", zoneId, isComplete: false },
        { source: "export", groupId: 1, isComplete: false },
      ]),
    );
  }

  async #playsChange(): Promise<void> {
    const kind = this.#pick(kinds);
    const own = [...this.#plays].filter(([, play]) => play.kind === kind);
    for (let count = 1 + this.#random(4); count > 0 && own.length > 0; count -= 1) {
      const [key, play] = this.#pick(own);
      if (this.#random(4) === 0) this.#plays.delete(key);
      else play.seconds = 5 + this.#random(90);
    }
    await this.#export(this.#pick(groupIds), [kind]);
  }

  /** The same instants of a day, with another UTC offset. */
  async #otherOffsets(): Promise<void> {
    const zoneId = this.#pick(zoneIds);
    const kind = this.#pick(kinds);
    const own = [...this.#plays.values()].filter((play) => play.zoneId === zoneId && play.kind === kind);
    if (own.length === 0) return;
    const middle = this.#pick(own).startedAtMs;
    const offset = this.#pick([0, 840, -600]);
    const plays = own.filter(({ startedAtMs }) => Math.abs(startedAtMs - middle) < dayMs);
    for (const play of plays) play.offset = offset;
    await this.#history(kind, plays, { source: "walk", zoneId, isComplete: this.#random(2) === 0 });
  }

  #someCampaigns(): object[] {
    const day = () => new Date(this.#nowMs - (this.#random(60) - 10) * dayMs).toISOString().slice(0, 10);
    return [1, 2, 3].flatMap((id) => {
      if (this.#random(5) === 0) return [];
      const assets = this.#some([1, 2, 3, 4]).map((assetId) => ({
        asset_id: assetId,
        name: `Asset ${assetId}`,
        duration: 10 + this.#random(3) * 10,
        start_date: this.#random(8) === 0 ? day() : "",
        end_date: this.#random(8) === 0 ? day() : "",
      }));
      this.#names += 1;
      return [
        {
          campaign_id: String(id),
          name: this.#random(6) === 0 ? `Campaign ${this.#names}` : `Campaign ${id}`,
          status: this.#random(4) === 0 ? "disabled" : "enabled",
          add_date: this.#random(3) === 0 ? day() : "2026-01-01",
          start_date: this.#random(5) === 0 ? day() : "",
          end_date: this.#random(5) === 0 ? day() : "",
          rrule: this.#pick([...rules, "", "", ""]),
          assets,
        },
      ];
    });
  }

  async #campaigns(atMs: number): Promise<void> {
    if (this.#confirm) {
      const { owner, kind } = this.#confirm;
      this.#confirm = undefined;
      return await this.#fed.campaigns(owner, [], this.#at(this.#nowMs), kind);
    }
    const owner = this.#random(2) === 0 ? { groupId: this.#pick(groupIds) } : { zoneId: 1 + this.#random(2) };
    const kind = this.#random(4) === 0 ? "messaging" : "signage";
    const isEmpty = this.#random(4) === 0;
    const key = JSON.stringify([owner, kind]);
    const again = this.#listsAgain && this.#random(5) === 0 ? this.#listedAt.get(key) : undefined;
    const at = again ?? this.#at(atMs);
    this.#listedAt.set(key, at);
    await this.#fed.campaigns(owner, isEmpty ? [] : this.#someCampaigns(), at, kind);
    // Sometimes the next listing is empty as well.
    if (isEmpty) this.#confirm = this.#random(2) === 0 ? { owner, kind } : undefined;
  }

  async #assets(): Promise<void> {
    const records = this.#some([1, 2, 3, 4, 5]).map((id) => ({
      asset_id: id,
      name: `Asset ${id}`,
      duration: this.#pick([0, 10, 20, 40]),
      add_date: "2026-01-01",
      start_date: "",
      end_date: this.#random(4) === 0 ? "2026-11-11" : "",
    }));
    await this.#fed.assets(
      this.#random(2) === 0 ? { groupId: this.#pick(groupIds) } : { zoneId: this.#pick(zoneIds) },
      records,
      this.#at(this.#nowMs - this.#random(2) * this.#random(10 * dayMs)),
      this.#pick(contentKinds),
    );
  }

  async #daysOfDevices(): Promise<void> {
    const until = this.#nowMs;
    if (this.#random(2) === 0) return await this.#midnightOfDevices();
    for (let atMs = until - 2 * dayMs; atMs <= until; atMs += (3 + this.#random(16)) * hourMs) {
      await this.#devices(atMs);
    }
  }

  /** Down since shortly before midnight, too short for an outage at first; later it becomes one. */
  async #midnightOfDevices(): Promise<void> {
    const zoneId = this.#pick([1, 2]);
    const [before = 0] = clocks[zoneId] ?? [];
    const midnight = Math.floor(this.#nowMs / dayMs - 1) * dayMs - before * 60_000;
    const down = {
      ...{ device_id: 100 + zoneId, zone_id: zoneId, status: "offline" },
      last_online_date: new Date(midnight - this.#random(120) * 1000).toISOString(),
    };
    const looks = [-hourMs, (1 + this.#random(14)) * 60_000, 3 * hourMs];
    const [first, ...later] = looks.map((ms) => this.#at(midnight + ms));
    if (first) await this.#fed.devices(1, [{ ...down, status: "online" }], first);
    for (const at of later) await this.#fed.devices(1, [down], at);
  }

  async #devices(atMs: number, groupId: number = this.#pick(groupIds)): Promise<void> {
    const records = zoneIds.flatMap((zoneId) => {
      // Some zones come and go; one is shared.
      if (!this.#isIn(zoneId, groupId) && this.#random(15) > 0) return [];
      if (this.#random(10) === 0) return [];
      const deviceIds = [100 + zoneId, ...(this.#random(6) === 0 ? [200 + zoneId] : [])];
      return deviceIds.map((deviceId) => this.#device(deviceId, zoneId, atMs));
    });
    await this.#fed.devices(groupId, records, this.#at(atMs));
  }

  #device(deviceId: number, zoneId: number, atMs: number): object {
    const status = this.#pick(["online", "online", "online", "offline", "offline", "odd"]);
    const ago = status === "online" ? 60_000 : this.#random(60 * hourMs) - 2 * 60_000;
    return {
      device_id: deviceId,
      zone_id: this.#random(25) === 0 ? this.#pick(zoneIds) : zoneId,
      status,
      last_online_date: this.#random(12) === 0 ? "" : new Date(atMs - ago).toISOString(),
      last_play_date: "",
      bandwidth_kbps: String(1000 + this.#random(5)),
      storage_used_mb: "10",
      storage_total_mb: "100",
      location: { location_id: this.#random(9) === 0 ? 9 : zoneId, name: "A place" },
    };
  }

  /** No new plays, but a later request makes the history complete. */
  async #settle(): Promise<void> {
    this.#nowMs += (1 + this.#random(4)) * dayMs;
    const zoneId = this.#pick(zoneIds);
    if (this.#random(2) === 0) await this.#export(this.#pick(groupIds), kinds);
    else
      for (const kind of kinds) await this.#history(kind, [], { source: "walk", zoneId, isComplete: true });
  }

  async #openingHours(): Promise<void> {
    const lines = this.#some(zoneIds).flatMap((zoneId) => {
      // The same every day: no night may extend into the next morning's hours.
      const hours = this.#pick(["08:00,20:00", "18:00,02:30", "09:00,12:00", "00:00,24:00"]);
      return this.#some([1, 2, 3, 4, 5, 6, 7]).map((day) => `${zoneId},${day},${hours}`);
    });
    await this.#fed.reference("opening_hours.csv", ["zone_id,day_of_week,opens,closes", ...lines]);
  }

  async #zoneKinds(): Promise<void> {
    const day = () => new Date(this.#nowMs - this.#random(60) * dayMs).toISOString().slice(0, 10);
    const lines = this.#some(zoneIds, 3).flatMap((zoneId) =>
      this.#some(kinds).map((kind) => {
        const [from, to] = [this.#pick(["", day()]), this.#pick(["", day()])];
        return `${zoneId},${kind},${from},${from !== "" && to !== "" && to < from ? "" : to}`;
      }),
    );
    await this.#fed.reference("zone_kinds.csv", ["zone_id,kind,valid_from,valid_to", ...lines]);
  }

  async #timeZones(): Promise<void> {
    const lines = this.#some(zoneIds).map((zoneId) => `${zoneId},${this.#pick(timeZones)}`);
    await this.#fed.reference("zone_time_zones.csv", ["zone_id,time_zone", ...lines]);
  }

  async #footfall(): Promise<void> {
    const lines = this.#some([1, 2, 3, 4, 9]).flatMap((id) => {
      const place = this.#random(3) === 0 ? `,${id}` : `${id},`;
      const [from, to] = this.#pick([
        ["", ""],
        ["", "2026-10-20"],
        ["2026-10-25", ""],
      ]);
      const people = this.#pick(["90.5,,60", ",2.5,", "0,,30"]);
      return this.#some([1, 3, 5, 7]).map(
        (day) =>
          `${place},${day},${this.#pick(["08:00,12:30", ",", "12:00,24:00"])},${people},counter,${from},${to}`,
      );
    });
    await this.#fed.reference("footfall.csv", [[...footfallColumns, ...dateColumns].join(), ...lines]);
  }

  async #groupNames(): Promise<void> {
    this.#names += 1;
    const lines = this.#some(groupIds).map((groupId) => `${groupId},Group ${this.#names}`);
    await this.#fed.reference("group_names.csv", ["group_id,group_name", ...lines]);
  }

  async #maintenance(): Promise<void> {
    const id = 1 + this.#random(3);
    const beganMs = this.#nowMs - this.#random(20 * dayMs);
    const endedMs = this.#random(4) === 0 ? undefined : beganMs + this.#random(2 * dayMs);
    const iso = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());
    await this.#fed.notices(
      [
        {
          id,
          type: this.#pick(["planned", "planned", "unplanned"]),
          state: this.#pick(["underway", "complete", "cancelled"]),
          began_at: iso(beganMs),
          ended_at: iso(endedMs),
          ends_at: iso(beganMs + (id - 2) * dayMs),
          updated_at: iso(this.#nowMs),
        },
      ],
      this.#at(this.#nowMs),
    );
  }

  async #otherSettings(): Promise<void> {
    const { options } = this.#fed;
    const changes = [
      { assetDurationUnit: options.assetDurationUnit === "seconds" ? "milliseconds" : "seconds" },
      { settleDays: 1 + this.#random(5) },
      { slotMinutes: this.#pick([15, 60, 240]) },
      { downStatuses: this.#pick([["offline"], ["offline", "odd"]]) },
      { groupIds: this.#pick([[], [1], [2], [1, 2]]) },
    ] as const;
    this.#fed.options = { ...options, ...this.#pick(changes) };
    if (this.#random(4) === 0) this.#fed.serviceTimeZone = this.#pick(["UTC", "America/New_York"]);
  }
}

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { buildMart } from "../../../src/build/build-mart.ts";
import { loadHistory } from "../../../src/load/history/load-history.ts";
import { loadListings } from "../../../src/load/listing/load-listings.ts";
import { applyReference } from "../../../src/load/reference/apply-reference.ts";
import { publishMart } from "../../../src/publish/publish-mart.ts";
import { describePage } from "../../../src/report/html/describe-page.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import { buildOverview } from "../../../src/report/overview/overview.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { type ReportName, reportNames } from "../../../src/report/report-name.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { silentLogger } from "../../../src/util/logger.ts";
import { buildOptions } from "../../build/build-options.ts";
import { loadCampaigns } from "../../support/load-listing.ts";
import { openNewWarehouse } from "../../support/new-warehouse.ts";
import { shareFolder } from "../../support/shared-folder.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { rowsOf } from "../report-rows.ts";

/**
 * Data that ends at noon UTC on 21 November. In Tokyo that is 21:00 on the same day, in New York 07:00: 20
 * November is the last day that is over in both, so the default period is 24 October to 20 November.
 */
const dataEnd = Date.parse("2026-11-21T12:00:00Z");
const firstCheck = Date.parse("2026-10-18T12:00:00Z");
const now = new Date("2026-11-25T08:00:00Z");
const [firstDate, lastDate] = ["2026-10-24", "2026-11-20"];
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const zones = [
  { zoneId: 11, deviceId: 110, timeZone: "Asia/Tokyo", utcOffset: () => 9 },
  {
    zoneId: 12,
    deviceId: 120,
    timeZone: "America/New_York",
    utcOffset: (local: string) => (local < "2026-11-01T02" ? -4 : -5),
  },
];

/** Start and end of a device's outages; the third began after the last complete day. */
const outages = [
  { deviceId: 120, from: "2026-10-20T06:00:00Z", to: "2026-10-25T16:00:00Z" },
  { deviceId: 110, from: "2026-11-17T09:00:00Z", to: undefined },
  { deviceId: 120, from: "2026-11-21T07:00:00Z", to: undefined },
];

interface Play {
  zoneId: number;
  kind: "music" | "signage";
  itemId: number;
  date: string;
  /** In zone time. */
  time: string;
  durationSecs: number;
}

const dates = countDaysBetween("2026-10-15", "2026-11-21");

/** Each zone plays a song at both ends of each day, and on even days the asset of a campaign. */
const plays: Play[] = zones.flatMap(({ zoneId }) =>
  dates.flatMap((date): Play[] => {
    // Zone 12 does not play while its device is down.
    if (zoneId === 12 && date > "2026-10-20" && date < "2026-10-25") return [];
    const song = { zoneId, kind: "music", itemId: 7, date, durationSecs: 200 } as const;
    const isEven = Number(date.slice(-2)) % 2 === 0;
    return [
      { ...song, time: "00:00:00" },
      ...(date < "2026-11-21" ? [{ ...song, time: "23:59:59" }] : []),
      ...(isEven ? [{ ...song, kind: "signage", itemId: 50, time: "06:00:00" } as const] : []),
    ];
  }),
);

const isReported = ({ date }: { date: string }) => date >= firstDate && date <= lastDate;
const reported = plays.filter(isReported);
const reportedDates = dates.filter((date) => isReported({ date }));

function downSeconds({ from, to }: (typeof outages)[number], since: number, until: number): number {
  const seconds =
    (Math.min(until, to === undefined ? dataEnd : Date.parse(to)) - Math.max(since, Date.parse(from))) / 1000;
  return Math.max(0, seconds);
}

/** Start and end of a zone's days of the period, as instants. */
function periodOf(deviceId: number): [since: number, until: number] {
  const zone = zones.find((one) => one.deviceId === deviceId);
  const at = (date: string) => Date.parse(date) - (zone?.utcOffset(`${date}T00`) ?? 0) * hourMs;
  return [at(firstDate), at("2026-11-21")];
}

const down = outages.map((outage) => downSeconds(outage, ...periodOf(outage.deviceId)));
const [[tokyoFrom, tokyoTo], [newYorkFrom, newYorkTo]] = [periodOf(110), periodOf(120)];
const totalDown = down.reduce((sum, seconds) => sum + seconds, 0);

const campaignDays = zones.flatMap(({ zoneId }) =>
  reportedDates.map((date) => ({
    date,
    isPlayed: reported.some(
      (play) => play.kind === "signage" && play.zoneId === zoneId && play.date === date,
    ),
    // History was last collected at the data's end, less than three days after these ended.
    isPending: date >= "2026-11-18",
    isOffline: zoneId === 12 && date === "2026-10-24",
  })),
);
const countDays = (is: (day: (typeof campaignDays)[number]) => boolean) => campaignDays.filter(is).length;

/** Zones are always open: they are silent from one play to the next while their device is up. */
const silences = zones
  .flatMap(({ zoneId, deviceId, utcOffset }) => {
    const [since, until] = periodOf(deviceId);
    const busy = [
      ...plays
        .filter((play) => play.zoneId === zoneId)
        .map(({ date, time, durationSecs }) => {
          const from = Date.parse(`${date}T${time}Z`) - utcOffset(`${date}T${time}`) * hourMs;
          return { from, to: from + durationSecs * 1000 };
        }),
      ...outages
        .filter((outage) => outage.deviceId === deviceId)
        .map(({ from, to }) => ({ from: Date.parse(from), to: to === undefined ? dataEnd : Date.parse(to) })),
    ].sort((a, b) => a.from - b.from);
    let reached = firstCheck;
    return busy.flatMap(({ from, to }) => {
      const silence = { from: reached, to: from };
      reached = Math.max(reached, to);
      if (silence.to - silence.from <= 600_000 || silence.from >= until || silence.to <= since) return [];
      const seconds = (Math.min(silence.to, until) - Math.max(silence.from, since)) / 1000;
      const [started_at, ended_at] = [silence.from, silence.to].map(instantText);
      return [{ zone_id: zoneId, started_at, ended_at, silent_seconds: seconds, is_open: false }];
    });
  })
  .sort((a, b) => (String(a.started_at) < String(b.started_at) ? -1 : 1));

/** Rows of each report without dates, as far as they depend on its period. */
const expected: Record<Exclude<ReportName, "own">, { period: boolean; rows: Record<string, unknown>[] }> = {
  plays: {
    period: true,
    rows: [
      {
        plays: reported.length,
        play_seconds: 200 * reported.length,
        zones: 2,
        items: 2,
      },
    ],
  },
  compliance: {
    period: true,
    rows: [
      {
        scheduled_days: campaignDays.length,
        compliant_days: countDays(({ isPlayed, isPending }) => isPlayed && !isPending),
        missed_days: countDays(({ isPlayed, isPending, isOffline }) => !isPlayed && !isPending && !isOffline),
        missed_offline_days: 1,
        pending_days: 6,
        candidate_plays: reported.filter(({ kind }) => kind === "signage").length,
        // The asset plays on even days; those since the 18th are pending.
        last_played_date: "2026-11-16",
        first_missed_date: "2026-11-17",
      },
    ],
  },
  schedule: {
    period: true,
    rows: zones.map(({ zoneId }) => ({ zone_id: zoneId, scheduled_days: 7, first_date: "2026-11-22" })),
  },
  // Nothing is booked.
  delivery: { period: false, rows: [] },
  uptime: {
    period: true,
    rows: [
      {
        devices: 2,
        up_seconds: (tokyoTo - tokyoFrom + newYorkTo - newYorkFrom) / 1000 - totalDown,
        down_seconds: totalDown,
        unknown_seconds: 0,
        outages: 1,
      },
    ],
  },
  outages: {
    period: true,
    rows: [
      {
        ...{ device_id: 120, started_at: "2026-10-20T06:00:00Z", ended_at: "2026-10-25T16:00:00Z" },
        ...{ down_seconds: down[0], is_open: false },
      },
      {
        ...{ device_id: 110, started_at: "2026-11-17T09:00:00Z", ended_at: null },
        ...{ down_seconds: down[1], is_open: true },
      },
    ],
  },
  // As of the newest check: changes after the last complete day count.
  devices: {
    period: false,
    rows: [
      {
        device_id: 110,
        state: "down",
        down_for_seconds: (dataEnd - Date.parse("2026-11-17T09:00:00Z")) / 1000,
      },
      { device_id: 120, state: "down", down_for_seconds: 5 * 3600 },
    ],
  },
  quality: { period: true, rows: [{ section: "rejects", value: "1" }] },
  silences: { period: true, rows: silences },
  "single-plays": {
    period: true,
    rows: reported.map(({ zoneId, kind, date, time }) => ({
      zone_id: zoneId,
      kind,
      played_at_local: `${date}T${time}`,
    })),
  },
  loads: {
    period: false,
    rows: [
      { kind: "signage", new_plays: plays.filter(({ kind }) => kind === "signage").length, rejected: 0 },
      { kind: "music", new_plays: plays.filter(({ kind }) => kind === "music").length, rejected: 1 },
    ],
  },
  rejects: { period: false, rows: [{ reason: "invalid_json", line: "no record" }] },
};

it.each(reportNames)("%s without flags", async (name) => {
  const folder = await shareFolder("default periods", publish);
  const mart = await openPublished(folder, { threads: 1 });
  onTestFinished(() => mart.close());
  const report = await runReport(mart, parseReportOptions({ report: name }), now);
  const { period, rows } = expected[name];
  const usual =
    name === "schedule" ? { from: "2026-11-22", to: "2026-11-28" } : { from: firstDate, to: lastDate };
  expect(report.period).toEqual(period ? usual : undefined);
  expect(report.dataAsOf).toBe("2026-11-21T12:00:00Z");
  const found = await rowsOf(report);
  const key = (row: Record<string, unknown>) => JSON.stringify(row);
  if (name === "single-plays") {
    const names = Object.keys(rows[0] ?? {});
    const shown = found.map((row) => Object.fromEntries(names.map((column) => [column, row[column]])));
    expect(shown.map(key).sort()).toEqual(rows.map(key).sort());
  } else if (name === "quality") {
    expect(found.filter(({ section }) => section === "rejects")).toMatchObject(rows);
  } else {
    expect(found).toMatchObject(rows);
    expect(found).toHaveLength(rows.length);
  }
});

it("outages without flags match the devices that are down", async () => {
  const folder = await shareFolder("default periods", publish);
  const mart = await openPublished(folder, { threads: 1 });
  onTestFinished(() => mart.close());
  const report = await runReport(mart, parseReportOptions({ report: "outages" }), now);
  const page = await describePage(report);
  expect(page?.headline).toMatch(/; 1 is ongoing\.$/);
  expect(report.notes).toContain(
    "1 device went down after 20 November 2026, the last complete day, and is still down. Add --to 2026-11-21 to list it.",
  );
});

it("the overview shows outages that continue past its period as ongoing", async () => {
  const folder = await shareFolder("default periods", publish);
  const mart = await openPublished(folder, { threads: 1 });
  onTestFinished(() => mart.close());
  const { verdicts } = await buildOverview(mart, now, {});
  const texts = verdicts.flatMap(({ worst }) => worst.map(({ text }) => text.replaceAll("\u00a0", " ")));
  expect(texts).toContain("Zone 11 was down for 78 h 0 min (devices are checked every 4 h), and still is.");
  expect(texts).toContain("Zone 12 was down for 36 h 0 min (devices are checked every 4 h).");
});

async function publish(publishedFolder: string): Promise<void> {
  const folder = createTempFolder();
  const warehouse = await openNewWarehouse({ threads: 1 });
  const loadedAt = new Date(dataEnd);
  const land = (landingId: string, lines: readonly (string | object)[], requestedAt = loadedAt) => {
    const path = join(folder, `${landingId}.jsonl`);
    writeFileSync(
      path,
      lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""),
    );
    return { landingId, path, requestedAt };
  };
  const reference = join(folder, "reference");
  mkdirSync(reference);
  writeFileSync(
    join(reference, "zone_time_zones.csv"),
    `zone_id,time_zone\n${zones.map(({ zoneId, timeZone }) => `${zoneId},${timeZone}\n`).join("")}`,
  );
  writeFileSync(
    join(reference, "opening_hours.csv"),
    `zone_id,day_of_week,opens,closes\n${zones.flatMap(({ zoneId }) => [1, 2, 3, 4, 5, 6, 7].map((day) => `${zoneId},${day},00:00,24:00\n`)).join("")}`,
  );
  await applyReference(warehouse, reference);
  const campaign = {
    ...{ campaign_id: "5", name: "Spring", status: "enabled", add_date: "2026-10-01", rrule: "FREQ=DAILY" },
    assets: [{ asset_id: 50, name: "Tulips" }],
  };
  for (const { zoneId } of zones) {
    for (const at of ["2026-10-14T12:00:00Z", "2026-11-21T12:00:00Z"]) {
      const landing = land(`campaigns-${zoneId}-${at.slice(0, 10)}`, [campaign], new Date(at));
      await loadCampaigns(warehouse, { ...landing, kind: "signage", zoneId }, { loadedAt });
    }
  }
  const checks = Math.round((dataEnd - firstCheck) / (4 * hourMs));
  const listings = Array.from({ length: checks + 1 }, (_, index) => {
    const at = dataEnd - (checks - index) * 4 * hourMs;
    const records = zones.map(({ zoneId, deviceId }) => {
      const since = outages.find(
        ({ deviceId: id, from, to }) =>
          id === deviceId && Date.parse(from) < at && (to === undefined || at < Date.parse(to)),
      )?.from;
      return {
        ...{ zone_id: zoneId, device_id: deviceId, status: since ? "offline" : "online" },
        last_online_date: new Date(since ?? at).toISOString().slice(0, 19).replace("T", " "),
      };
    });
    return {
      ...land(`devices-${index}`, records, new Date(at)),
      ...({ source: "devices", groupId: 1 } as const),
    };
  });
  for (const result of await loadListings(warehouse, listings, { serviceTimeZone: "UTC", loadedAt }))
    if (result instanceof Error) throw result;
  for (const kind of ["music", "signage"] as const) {
    const lines = plays.filter((play) => play.kind === kind).map(toLine);
    const landing = land(kind, kind === "music" ? [...lines, "no record"] : lines);
    await loadHistory(
      warehouse,
      { ...landing, kind, source: "export", groupId: 1, isComplete: true },
      { loadedAt },
    );
  }
  await buildMart(warehouse, buildOptions);
  await publishMart(warehouse, { publishedFolder, version: "v000001", now, logger: silentLogger });
}

function toLine({ zoneId, kind, itemId, date, time, durationSecs }: Play): object {
  const offset = zones.find((zone) => zone.zoneId === zoneId)?.utcOffset(`${date}T${time}`) ?? 0;
  const item =
    kind === "music"
      ? { song_id: itemId, song_name: "A song", artist_id: 4, artist_name: "An artist" }
      : { asset_id: itemId, asset_name: "An asset" };
  return {
    ...{ location_id: 1, location_name: "Main Street", zone_id: zoneId, zone_name: `Zone ${zoneId}` },
    ...{ duration_secs: durationSecs, ...item },
    play_start: `${date}T${time}${offset < 0 ? "-" : "+"}${String(Math.abs(offset)).padStart(2, "0")}:00`,
  };
}

function instantText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

function countDaysBetween(first: string, last: string): string[] {
  const days = Math.round((Date.parse(last) - Date.parse(first)) / dayMs);
  return Array.from({ length: days + 1 }, (_, day) =>
    new Date(Date.parse(first) + day * dayMs).toISOString().slice(0, 10),
  );
}

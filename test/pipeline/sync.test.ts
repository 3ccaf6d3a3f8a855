import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { historyOrders } from "../../src/emulator/options.ts";
import type { FaultSetting } from "../../src/emulator/server/faults/fault-table.ts";
import { statusAt } from "../../src/emulator/world/status.ts";
import { listRejects } from "../../src/load/history/list-rejects.ts";
import { alterService } from "../support/altered-service.ts";
import { itEachLimited, itEachSampled, itInAll, share } from "../support/long-suite.ts";
import { type Setup, setNow, setUp, trueFigures } from "../support/service.ts";
import { coreFigures } from "./core-figures.ts";
import { openWorkspace, syncHere } from "./sync-workspace.ts";

const small = { days: 6, zones: 3, playScale: 0.2 };
const dayMs = 86_400_000;

function truth({ emulator }: Setup) {
  return trueFigures(emulator.world, emulator.now());
}

function countPageRequests({ emulator }: Setup): number {
  return emulator.requests.filter(({ path }) => path.endsWith("/history")).length;
}

itEachLimited(historyOrders, 1)(
  "walks every zone, listed %s first, and then only new records",
  async (order) => {
    const setup = await setUp({ ...small, order, pageLimit: 60 });
    for (const daysBefore of share([1, 0], [2.5, 1, 0], [2.5, 1, 0])) {
      setNow(setup, new Date(setup.emulator.world.endsAt.getTime() - daysBefore * dayMs));
      const result = await syncHere(setup, { topics: ["history"], mode: "walk" });
      expect(result.failures).toEqual([]);
      expect(result.incomplete).toEqual([]);
      expect(setup.emulator.jobs).toEqual([]);
      expect(await coreFigures(setup)).toEqual(truth(setup));
      expect(result.loads.map(({ source, zoneId }) => [source, zoneId !== null])).toEqual(
        Array.from({ length: 9 }, () => ["walk", true]),
      );
    }
    const before = countPageRequests(setup);
    await syncHere(setup, { topics: ["history"], mode: "walk", isFull: true });
    expect(countPageRequests(setup) - before).toBeGreaterThan(20);
    expect(await coreFigures(setup)).toEqual(truth(setup));
  },
);

itInAll(
  "walks the zones of a group whose exports fail, reports it, and walks at once the next time",
  async () => {
    const setup = await setUp(small);
    setup.emulator.setFaults([{ name: "job-fails", endpoint: "POST /v5/ext/data/music" }]);
    const first = await syncHere(setup);
    expect(first.failures).toEqual([]);
    expect(first.notes.join("\n")).toMatch(
      /music history of zone 81001: walked, because the service failed its export/,
    );
    expect(await coreFigures(setup)).toEqual(truth(setup));
    expect(setup.emulator.jobs.filter(({ kind }) => kind === "music")).toHaveLength(6);
    const second = await syncHere(setup);
    expect(second.plan.history.filter(({ kind }) => kind === "music").map(({ way }) => way)).toEqual([
      "walk",
      "walk",
    ]);
    expect(setup.emulator.jobs.filter(({ kind }) => kind === "music")).toHaveLength(6);
  },
);

itInAll("walks the zones of a group whose exports never complete", async () => {
  const setup = await setUp(small);
  setup.emulator.setFaults([{ name: "job-stuck" }]);
  const result = await syncHere(setup, { mode: "export", exportPatienceMinutes: 0.02 });
  expect(result.failures).toEqual([]);
  expect(await coreFigures(setup)).toEqual(truth(setup));
  expect(setup.emulator.jobs).toHaveLength(6);
});

const lostResponses = {
  "a web page": { name: "html-200" },
  "502": { name: "server-error", value: 502 },
  "a truncated response": { name: "truncated-body-cut" },
  "a broken connection": { name: "reset-after" },
} as const;

itEachLimited(
  Object.keys(lostResponses) as (keyof typeof lostResponses)[],
  1,
  2,
)("collects exports although requests for them are answered with %s", async (label) => {
  const setup = await setUp({ days: 1, zones: 2, playScale: 0.1 });
  const fault: FaultSetting = lostResponses[label];
  setup.emulator.setFaults([{ ...fault, times: 4, endpoint: "POST /v5/ext/data/music" }]);
  const { failures, incomplete, sources } = await syncHere(setup, { mode: "export" });
  expect([failures, incomplete]).toEqual([[], []]);
  expect(sources.history).toMatchObject({ expected: 6, complete: 6, failed: 0 });
  expect(await coreFigures(setup)).toEqual(truth(setup));
  const requested = (end: string) => setup.emulator.requests.filter(({ path }) => path.endsWith(end)).length;
  expect([requested("/music/history/export"), requested("/history/export")]).toEqual([6, 10]);
  expect(requested("/music/history")).toBe(0);
});

itEachSampled(["walk", "export"] as const, 1)(
  "collects the rest by %s if one group is forbidden, and reports what is missing",
  async (mode) => {
    const setup = await setUp({ ...small, readableGroupIds: [58429] });
    const { failures, loads } = await syncHere(setup, { mode });
    expect(failures.map(({ source }) => source)).toEqual(
      expect.arrayContaining(["devices of group 58430", "music history of group 58430"]),
    );
    expect(failures.every(({ source }) => source.includes("58430"))).toBe(true);
    expect(loads.length).toBeGreaterThanOrEqual(3);
    const own = new Set(setup.emulator.world.zonesOfGroup(58429).map(({ zoneId }) => String(zoneId)));
    const expected = Object.entries(truth(setup)).filter(([key]) => own.has(key.split(" ")[1] ?? ""));
    expect(await coreFigures(setup)).toEqual(Object.fromEntries(expected));
  },
);

itInAll("collects the rest if a zone has vanished, and reports it while it is listed", async () => {
  const setup = await setUp(small);
  setup.emulator.setFaults([{ name: "zone-gone", value: 81001 }]);
  const first = await syncHere(setup, { mode: "walk", topics: ["history"] });
  expect(first.failures.map(({ source }) => source).sort()).toEqual(
    ["messaging", "music", "signage"].map((kind) => `${kind} history of zone 81001`),
  );
  const figures = Object.entries(truth(setup)).filter(([key]) => !key.includes("81001"));
  expect(await coreFigures(setup)).toEqual(Object.fromEntries(figures));
  const second = await syncHere(setup, { mode: "walk", topics: ["history"] });
  expect(second.failures.map(({ source }) => source).sort()).toEqual(
    first.failures.map(({ source }) => source).sort(),
  );
});

itInAll("reports histories that cannot be proven complete", async () => {
  const setup = await setUp(small);
  setup.emulator.setFaults([{ name: "wrong-total", value: 5, endpoint: "GET /v5/ext/data/music" }]);
  const { incomplete, failures } = await syncHere(setup, { mode: "walk", topics: ["history"] });
  expect(failures).toEqual([]);
  expect(incomplete).toHaveLength(3);
  expect(incomplete[0]?.why).toMatch(/the service counts \d+ records but lists \d+/);
  expect(await coreFigures(setup)).toEqual(truth(setup));
});

itInAll("accepts histories that count one record too many in the second sync, and reports it", async () => {
  const setup = await setUp(small);
  setup.emulator.setFaults([{ name: "wrong-total", value: 1, endpoint: "GET /v5/ext/data/music" }]);
  const first = await syncHere(setup, { mode: "walk", topics: ["history"] });
  expect(first.incomplete).toHaveLength(3);
  const second = await syncHere(setup, { mode: "walk", topics: ["history"] });
  expect([second.failures, second.incomplete]).toEqual([[], []]);
  expect(second.notes.filter((note) => /^music .*, as in the previous walk\.$/.test(note))).toHaveLength(3);
  expect(await coreFigures(setup)).toEqual(truth(setup));
});

itInAll("rejects walk records that are not plays, each with its reason, and stores the others", async () => {
  const setup = await setUp(small);
  setup.emulator.setFaults([{ name: "bad-records", value: 0.05 }]);
  const { loads, failures, incomplete } = await syncHere(setup, { mode: "walk", topics: ["history"] });
  expect([failures, incomplete]).toEqual([[], []]);
  const { rejects, total } = await listRejects(openWorkspace(setup).settings, { limit: 1000 });
  expect(total).toBe(loads.reduce((sum, { rejected }) => sum + rejected, 0));
  expect([...new Set(rejects.map(({ reason }) => reason))].sort()).toEqual([
    "missing_field",
    "no_utc_offset",
    "not_an_object",
    "wrong_type",
  ]);
  expect(rejects.map(({ line }) => line)).toContain('"upstream connect error"');
  const figures = await coreFigures(setup);
  const plays = (all: Record<string, string>) =>
    Object.values(all).reduce((sum, figure) => sum + Number.parseInt(figure, 10), 0);
  expect(plays(truth(setup)) - plays(figures)).toBeGreaterThan(total / 2);
  expect(plays(truth(setup)) - plays(figures)).toBeLessThanOrEqual(total);
});

itInAll("accepts an empty export after a non-empty one only if the next one is empty too", async () => {
  const setup = await setUp(small);
  const { emulator } = setup;
  const exports = { mode: "export", topics: ["history"] } as const;
  await syncHere(setup, exports);
  const figures = truth(setup);
  // Only the service's clock is set to before its first play.
  const now = emulator.now();
  emulator.setNow(new Date("2001-01-01T00:00:00Z"));
  const emptied = { ...setup, emulator: { ...emulator, now: () => now } };
  const { incomplete } = await syncHere(emptied, exports);
  expect(incomplete).toHaveLength(6);
  expect(incomplete[0]?.why).toMatch(/^its export is empty \(the previous one had \d+ bytes\)$/);
  expect((await syncHere(emptied, exports)).incomplete).toEqual([]);
  expect(await coreFigures(setup)).toEqual(figures);
});

itInAll("stops at its time limit, and continues from there", async () => {
  const setup = await setUp({ ...small, pageLimit: 20, ratePerSecond: 40 });
  const options = { mode: "walk", topics: ["history"], maxMinutes: 0.02 } as const;
  const first = await syncHere(setup, options);
  expect(first.isStopped).toBe(true);
  expect(first.failures).toEqual([]);
  expect(first.sources.history?.left).toBeGreaterThan(0);
  let result = first;
  for (let time = 0; result.isStopped; time += 1) {
    expect(time).toBeLessThan(30);
    result = await syncHere(setup, options);
  }
  expect(result.sources.history).toMatchObject({ expected: 9, complete: 9, left: 0 });
  expect(result.sources.history?.earlier).toBeGreaterThan(0);
  expect(await coreFigures(setup)).toEqual(truth(setup));
  const queries = setup.emulator.requests
    .filter(({ path, status }) => path.endsWith("/history") && status === 200)
    .map(({ path, query }) => `${path} ${query}`);
  expect(new Set(queries).size).toBe(queries.length);
});

itInAll("requests zones' campaigns and assets in order of age, as time allows", async () => {
  const setup = await setUp({ ...small, ratePerSecond: 60 });
  const listings = () =>
    setup.emulator.requests
      .filter(({ path, query }) => /\/(campaigns|assets)\/zone$/.test(path) && query !== "")
      .map(({ path, query }) => `${path} ${query}`);
  const options = { topics: ["devices", "campaigns"], campaignMinutes: 5 / 3600 } as const;
  for (const asked of [5, 10, 15]) {
    const { failures, notes } = await syncHere(setup, options);
    expect(failures).toEqual([]);
    expect(notes).toEqual(["7 zone listings were left for the next sync (limit: --campaign-minutes)."]);
    expect(listings()).toHaveLength(asked);
  }
  expect(new Set(listings().slice(0, 12)).size).toBe(12);
});

itInAll("reads only as many old notices as it needs to find the newly closed ones", async () => {
  const setup = await setUp({ zones: 1, playScale: 0.1, days: 300 });
  const { emulator } = setup;
  const end = emulator.now();
  // A rate-limited page is requested again.
  const oldPages = () =>
    emulator.requests.filter(({ query, status }) => query.includes("past_distant") && status === 200).length;
  const oldNotices = () =>
    statusAt(emulator.world.plan, emulator.now().getTime())
      .notices.filter(({ notice }) => notice.timeline_state === "past_distant")
      .map(({ notice }) => notice.id);
  let known: number[] = [];
  for (const daysBefore of share([20, 20, 0], [30, 29, 20, 20, 0], [30, 29, 20, 20, 0])) {
    setNow(setup, new Date(end.getTime() - daysBefore * 86_400_000));
    const [pagesBefore, gotOld] = [oldPages(), oldNotices().filter((id) => !known.includes(id)).length];
    await syncHere(setup, { topics: ["status"] });
    const pages = Math.ceil(oldNotices().length / 25);
    expect(pages).toBeGreaterThan(4);
    const needed = known.length === 0 ? pages : Math.ceil(gotOld / 25) + 1;
    expect(oldPages() - pagesBefore, `${daysBefore} days before the end`).toBeLessThanOrEqual(needed);
    known = oldNotices();
    const { state } = openWorkspace(setup);
    const taken = [...state.knownNotices.known(emulator.statusUrl)];
    expect(
      taken.flatMap(([id, { timelineState }]) => (timelineState === "past_distant" ? [id] : [])).sort(),
    ).toEqual(known.sort());
  }
});

itInAll("reads old notices completely once, not in each sync, after the service removed one", async () => {
  const setup = await setUp({ zones: 1, playScale: 0.1, days: 300 });
  const removed = new Set<number>();
  let pages = 0;
  await alterService(setup, ({ path }) =>
    path.includes("past_distant")
      ? {
          // A rate-limited page is requested again, unaltered.
          json: ({ notices, meta }) => {
            pages += 1;
            return {
              notices: notices.filter(({ id }: { id: number }) => !removed.has(id)),
              meta: { ...meta, total_count: meta.total_count - removed.size },
            };
          },
        }
      : undefined,
  );
  const counts: number[] = [];
  for (let sync = 0; sync < 4; sync += 1) {
    pages = 0;
    await syncHere(setup, { topics: ["status"] });
    counts.push(pages);
    const { state } = openWorkspace(setup);
    const { VENUE_STATUS_URL: url = "" } = setup.environment;
    const [old] = [...state.knownNotices.known(url).values()].filter(
      ({ timelineState }) => timelineState === "past_distant",
    );
    if (old && sync === 0) removed.add(old.noticeId);
  }
  const [whole = 0] = counts;
  expect(whole).toBeGreaterThan(4);
  expect(counts).toEqual([whole, whole, 1, 1]);
});

it("collects what is new or changed in the status API, and skips it without an address", async () => {
  const setup = await setUp({ zones: 1, playScale: 0.1 });
  const options = { topics: ["status"] } as const;
  const landed = () => {
    const { state, folder } = openWorkspace(setup);
    const notices = state.landings.listLoaded().filter(({ source }) => source === "notices");
    return notices.map(({ path }) => gunzipSync(readFileSync(folder.resolve(path))).toString());
  };
  await syncHere(setup, options);
  const first = landed();
  expect(first).toHaveLength(1);
  expect(first[0]).toContain('"timeline_state"');
  // No new plays: empty landings are removed.
  await syncHere(setup, options);
  expect(landed()).toEqual(first);
  delete setup.environment.VENUE_STATUS_URL;
  const skipped = await syncHere(setup, options);
  expect(skipped.notes).toEqual(["Skipped the status API: VENUE_STATUS_URL is not set."]);
  expect(skipped.statusRequests).toBe(0);
});

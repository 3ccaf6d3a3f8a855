import { expect, it } from "vitest";
import type { SyncOptions } from "../../src/extract/plan/sync-options.ts";
import { type Alteration, alterService, type PassingRequest } from "../support/altered-service.ts";
import { itInAll } from "../support/long-suite.ts";
import { type Setup, setUp } from "../support/service.ts";
import { readCore } from "./core-figures.ts";
import { openWorkspace, syncHere } from "./sync-workspace.ts";

const small = { days: 3, zones: 2, playScale: 0.2 };
/** Listed data, not plays. */
const listed: SyncOptions["topics"] = ["devices", "campaigns", "status"];

/** Output of the second of two syncs, the only one with altered responses. */
async function syncThenAltered(
  setup: Setup,
  topics: SyncOptions["topics"],
  alter: (request: PassingRequest) => Alteration,
) {
  let isSecond = false;
  await alterService(setup, (request) => (isSecond ? alter(request) : undefined));
  await syncHere(setup, { topics });
  isSecond = true;
  return await syncHere(setup, { topics });
}

function eachValue(change: (key: string, value: unknown, path: string) => unknown) {
  return ({ path }: PassingRequest): Alteration =>
    /campaigns|assets|devices|components|notices/.test(path)
      ? {
          json: (answer) =>
            JSON.parse(JSON.stringify(answer), (key, value: unknown) => change(key, value, path)),
        }
      : undefined;
}

it("rejects and counts a device that does not match the documentation, keeping the others and its zone", async () => {
  const setup = await setUp({ ...small, zones: 6 });
  let isOdd = false;
  await alterService(setup, ({ path }) =>
    isOdd && path.includes("devices/status?group_id=58429")
      ? { json: ([first, ...others]) => [{ ...first, zone_id: null }, ...others] }
      : undefined,
  );
  const { settings, state } = openWorkspace(setup);
  const zonesOfGroup = () => state.zones.ofGroup(settings.get("VENUE_BASE_URL").href, 58429);
  await syncHere(setup, { topics: ["devices"] });
  const zones = zonesOfGroup();
  expect(zones.length).toBeGreaterThan(1);
  isOdd = true;
  const { failures, notes } = await syncHere(setup, { topics: ["devices"] });
  expect(failures).toEqual([]);
  expect(notes).toEqual(["devices of group 58429: 1 record is not as documented and rejected: [0].zone_id."]);
  expect(zonesOfGroup()).toEqual(zones);
  const rows = await readCore(
    setup,
    "select records, rejected from core.snapshot where group_id = 58429 order by snapshot_id",
  );
  expect(rows).toEqual([
    { records: zones.length, rejected: 0 },
    { records: zones.length - 1, rejected: 1 },
  ]);
});

itInAll("stores records without a name and state completely", async () => {
  const setup = await setUp({ ...small, zones: 6 });
  const nameless = new Set(["name", "status", "state", "type", "timeline_state"]);
  const { failures, notes } = await syncThenAltered(
    setup,
    listed,
    eachValue((key, value, path) =>
      nameless.has(key) && (key !== "status" || path.includes("devices")) ? null : value,
    ),
  );
  expect(failures).toEqual([]);
  expect(notes).toEqual([]);
  const listings = await readCore<{ owner: string; records: number[]; rejected: number }>(
    setup,
    `select concat_ws(' ', source, kind, group_id, zone_id) as owner,
      list(records order by snapshot_id) as records, sum(rejected)::integer as rejected
    from core.snapshot where source <> 'notices' group by all`,
  );
  const [{ archived } = { archived: -1 }] = await readCore<{ archived: number }>(
    setup,
    "select count(*)::integer as archived from core.listing_span where until_at is not null",
  );
  expect(listings.length).toBeGreaterThan(5);
  for (const { records, rejected, owner } of listings)
    expect({ owner, records, rejected }).toEqual({ owner, records: [records[0], records[0]], rejected: 0 });
  expect(archived).toBe(0);
});

itInAll("stores records with undocumented values in other fields completely", async () => {
  const setup = await setUp({ ...small, zones: 6 });
  const odd: Record<string, unknown> = {
    ...{ location: [], last_online_ago: "3 minutes", last_sd_error: false, bandwidth_kbps: { kbps: 5 } },
    ...{ duration: "", preview_png: false, rrule: false, parent_id: "", links: [], description: ["A", "B"] },
    ...{ tag_list: {}, latest_update: [], subject: ["A"], end_date: [] },
  };
  const { failures, notes } = await syncThenAltered(
    setup,
    listed,
    eachValue((key, value) =>
      key === "assets" ? { ...(value as unknown[]) } : key in odd ? odd[key] : value,
    ),
  );
  expect(failures).toEqual([]);
  expect(notes).toEqual([]);
  const rows = await readCore<{ before: number; after: number; rejected: number }>(
    setup,
    `select source, kind, group_id, zone_id, arg_min(records, snapshot_id)::integer as before,
      arg_max(records, snapshot_id)::integer as after, sum(rejected)::integer as rejected
    from core.snapshot where source <> 'notices' group by all`,
  );
  const [{ unlinked } = { unlinked: -1 }] = await readCore<{ unlinked: number }>(
    setup,
    "select count(*)::integer as unlinked from core.listing_asset_span where until_at is not null",
  );
  const errors = await readCore(
    setup,
    "select last_sd_error from core.device_snapshot where last_sd_error = 'false'",
  );
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter(({ before, after, rejected }) => before !== after || rejected > 0)).toEqual([]);
  expect(unlinked).toBe(0);
  expect(errors).toEqual([]);
});

itInAll("drops an invalid asset, but not its campaign", async () => {
  const setup = await setUp({ ...small, zones: 6 });
  const { failures, notes } = await syncThenAltered(setup, ["campaigns"], ({ path }) =>
    path.includes("campaigns/group")
      ? {
          json: (campaigns) =>
            campaigns.map((one: { assets: [] }) => ({ ...one, assets: [null, ...one.assets] })),
        }
      : undefined,
  );
  expect(failures).toEqual([]);
  expect(notes).toContainEqual(
    expect.stringMatching(/: \d+ records? with undocumented parts, which were dropped: \[0\]\.assets\[0\]/),
  );
  const [ended] = await readCore(
    setup,
    `select (select count(*)::integer from core.listing_span where until_at is not null) as archived,
      (select count(*)::integer from core.listing_asset_span where until_at is not null) as unlinked,
      (select sum(rejected)::integer from core.snapshot) as rejected`,
  );
  expect(ended).toEqual({ archived: 0, unlinked: 0, rejected: 0 });
});

itInAll("accepts an empty body and null as an empty listing", async () => {
  const setup = await setUp(small);
  const passed = await alterService(setup, ({ path }) => {
    if (/assets.group/.test(path)) return { status: 200, body: "null" };
    return path.includes("campaigns/zone") ? { status: 204, body: "" } : undefined;
  });
  const { failures, incomplete } = await syncHere(setup, { topics: ["devices", "campaigns"] });
  expect(failures).toEqual([]);
  expect(incomplete).toEqual([]);
  expect(passed).toHaveLength(new Set(passed).size);
});

it("rejects and counts undocumented records of the status API, and stores the rest", async () => {
  const setup = await setUp(small);
  const misfit = [{ id: "one" }];
  await alterService(setup, ({ path }) =>
    /components|past_recent/.test(path) && !path.includes("page=")
      ? {
          json: ({ meta, components, notices }) => ({
            meta: { ...meta, total_count: meta.total_count + 1 },
            ...(components ? { components: misfit.concat(components) } : { notices: notices.concat(misfit) }),
          }),
        }
      : undefined,
  );
  const { failures, incomplete, notes } = await syncHere(setup, { topics: ["status"] });
  expect(failures).toEqual([]);
  expect(incomplete).toEqual([]);
  expect(notes).toEqual([
    expect.stringMatching(
      /^components of .*: 1 record is not as documented and rejected: components\[0\]\.id\.$/,
    ),
    expect.stringMatching(
      /^notices of .*: 1 record is not as documented and rejected: notices\[\d+\]\.id\.$/,
    ),
  ]);
  const rows = await readCore(
    setup,
    "select source, records > 0 as some, rejected from core.snapshot order by source",
  );
  expect(rows).toEqual([
    { source: "components", some: true, rejected: 1 },
    { source: "notices", some: true, rejected: 1 },
  ]);
});

it("stores changed notices without an update time", async () => {
  const setup = await setUp(small);
  let subject = "Before";
  await alterService(setup, ({ path }) =>
    path.includes("notices")
      ? {
          json: ({ notices, meta }) =>
            path.includes("past_distant")
              ? { notices: [], meta: { total_count: 0 } }
              : {
                  notices: notices.map((notice: object) => ({ ...notice, subject, updated_at: null })),
                  meta,
                },
        }
      : undefined,
  );
  await syncHere(setup, { topics: ["status"] });
  subject = "After";
  setup.emulator.setNow(new Date(setup.emulator.now().getTime() + 60_000));
  await syncHere(setup, { topics: ["status"] });
  const subjects = await readCore(setup, "select distinct subject from core.notice");
  expect(subjects).toEqual([{ subject: "After" }]);
});

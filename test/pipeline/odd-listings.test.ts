import { expect, it } from "vitest";
import { alterService } from "../support/altered-service.ts";
import { itInAll } from "../support/long-suite.ts";
import { setUp } from "../support/service.ts";
import { readCore } from "./core-figures.ts";
import { openWorkspace, syncHere } from "./sync-workspace.ts";

const small = { days: 3, zones: 2, playScale: 0.2 };

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
  expect(notes).toEqual(["devices of group 58429: 1 record rejected as undocumented: [0].zone_id."]);
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
    expect.stringMatching(/^components of .*: 1 record rejected as undocumented: components\[0\]\.id\.$/),
    expect.stringMatching(/^notices of .*: 1 record rejected as undocumented: notices\[\d+\]\.id\.$/),
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

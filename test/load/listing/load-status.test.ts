import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadComponents, loadDevices, loadNotices } from "../../support/load-listing.ts";
import { createLoadFixture, type LoadFixture } from "../load-fixture.ts";

const options = { loadedAt: new Date("2026-03-11") };
let landings = 0;

function land({ folder }: LoadFixture, records: readonly unknown[], requestedAt: string) {
  landings += 1;
  const path = join(folder, `status-${landings}.jsonl`);
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return { landingId: `status-${landings}`, path, requestedAt: new Date(requestedAt) };
}

const notice = {
  id: 4,
  type: "planned",
  state: "underway",
  subject: "Network",
  url: "https://status.example/4",
  began_at: "2026-03-09T01:00:00.123Z",
  ended_at: null,
  ends_at: "2026-03-09T05:00:00.000Z",
  updated_at: "2026-03-09T01:00:00.000Z",
};

it("notices: the latest record of each counts, in any order of arrival", async () => {
  const ended = {
    ...notice,
    state: "complete",
    ended_at: "2026-03-09T03:00:00Z",
    updated_at: "2026-03-09T03:00:00Z",
  };
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const fixture = await createLoadFixture();
    const said = [
      land(fixture, [notice, { type: "general", id: "5" }, { id: "x" }, "no"], "2026-03-09T02:00:00Z"),
      land(fixture, [ended], "2026-03-09T04:00:00Z"),
    ];
    for (const index of order) {
      const landing = said[index];
      if (landing) await loadNotices(fixture.warehouse, landing, options);
    }
    expect(
      await fixture.warehouse.all("select * exclude (seen_at) from core.notice order by notice_id"),
    ).toEqual([
      {
        notice_id: 4,
        type: "planned",
        state: "complete",
        subject: "Network",
        url: "https://status.example/4",
        began_at: "2026-03-09 01:00:00.123",
        ended_at: "2026-03-09 03:00:00",
        updated_at: "2026-03-09 03:00:00",
        ends_at: "2026-03-09 05:00:00",
      },
      {
        notice_id: 5,
        type: "general",
        state: null,
        subject: null,
        url: null,
        began_at: null,
        ended_at: null,
        updated_at: null,
        ends_at: null,
      },
    ]);
    expect(
      await fixture.warehouse.all(
        "select source, group_id, records, rejected from core.snapshot order by requested_at",
      ),
    ).toEqual([
      { source: "notices", group_id: null, records: 2, rejected: 2 },
      { source: "notices", group_id: null, records: 1, rejected: 0 },
    ]);
  }
});

it("components: the latest state counts; a landing is loaded once", async () => {
  const fixture = await createLoadFixture();
  const records = [
    { id: 1, name: "API", state: "operational", parent_id: null },
    { id: 2, name: "Exports", state: "degraded", parent_id: 1 },
  ];
  const first = land(fixture, records, "2026-03-09T02:00:00Z");
  expect(await loadComponents(fixture.warehouse, first, options)).toMatchObject({ records: 2, rejected: 0 });
  expect(await loadComponents(fixture.warehouse, first, options)).toMatchObject({ isRepeat: true });
  const later = [{ ...records[1], state: "operational" }];
  await loadComponents(fixture.warehouse, land(fixture, later, "2026-03-10T02:00:00Z"), options);
  await loadComponents(
    fixture.warehouse,
    land(fixture, [{ ...records[1], name: "Old" }], "2026-03-08"),
    options,
  );
  expect(
    await fixture.warehouse.all(
      "select component_id, component_name, state, parent_id from core.component order by component_id",
    ),
  ).toEqual([
    { component_id: 1, component_name: "API", state: "operational", parent_id: null },
    { component_id: 2, component_name: "Exports", state: "operational", parent_id: 1 },
  ]);
});

it("device snapshots: a state lasts up to 2.5 times the median of the previous gaps", async () => {
  const { folder, warehouse } = await createLoadFixture();
  const path = join(folder, "devices.jsonl");
  writeFileSync(path, JSON.stringify({ zone_id: 7, device_id: 70 }));
  for (const hour of [0, 1, 3]) {
    const requestedAt = new Date(Date.UTC(2026, 2, 1, hour));
    await loadDevices(warehouse, { landingId: `${hour}`, path, groupId: 1, requestedAt }, options);
  }
  const stored = await warehouse.all(
    "select max_gap_seconds from core.device_snapshot order by requested_at",
  );
  expect(stored.map(({ max_gap_seconds }) => max_gap_seconds)).toEqual([null, 9000, 13_500]);
});

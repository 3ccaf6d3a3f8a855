import { expect, it } from "vitest";
import { findEqualNames } from "../../../src/report/findings/names.ts";
import { judgeDevices } from "../../../src/report/overview/judge-devices.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

it.each([
  [[], "not known yet", {}],
  [["up"], "good", {}],
  [["up", "unknown"], "needs attention", { only: "down,silent,unknown" }],
  [["up", "unknown", "unknown"], "not known yet", { only: "down,silent,unknown" }],
  [["down", "unknown", "unknown"], "bad", { only: "down,silent,unknown" }],
])("judges devices that are %j as %s", async (states, status, words) => {
  const folder = createTempFolder();
  const devices = states.map((state, index) => ({ device_id: index, zone_id: index, state, status: state }));
  const rows = { dim_device: devices, dim_zone: devices.map(({ zone_id }) => ({ zone_id })) };
  await publishFixture(folder, { version: "v000001", dataAsOf: null, rows });
  const mart = await openPublished(folder, { threads: 1 });
  try {
    const verdict = await judgeDevices({
      mart,
      now: new Date("2026-11-21T06:00:00Z"),
      names: await findEqualNames(mart),
      read: async () => devices,
      daysOf: async () => ({ period: { from: "2026-10-24", to: "2026-11-20" }, dataAsOf: null }),
      complianceDays: [],
      asOf: async () => null,
    });
    expect(verdict.status).toBe(status);
    expect(verdict.address).toEqual({ view: "devices", words });
    expect(verdict.answer).toMatchSnapshot();
  } finally {
    mart.close();
  }
});

import { expect, it } from "vitest";
import { findEqualNames } from "../../../src/report/findings/equal-names.ts";
import { judgeDevices } from "../../../src/report/overview/judge-devices.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

it.each([
  [[], "No device has been checked yet.", "look at it"],
  [["up"], "None of 1 device is down or silent; none had a storage error in the last 7 days.", "good"],
])("judges devices that are %j", async (states, answer, status) => {
  const folder = createTempFolder();
  await publishFixture(folder, { version: "v000001", dataAsOf: null, rows: {} });
  const mart = await openPublished(folder, { threads: 1 });
  try {
    const read = async () => states.map((state, index) => ({ device_id: index, zone_id: index, state }));
    const periodOf = async () => ({ from: "2026-10-24", to: "2026-11-20" });
    const names = await findEqualNames(mart);
    const verdict = await judgeDevices({
      mart,
      now: new Date("2026-11-21T06:00:00Z"),
      names,
      read,
      periodOf,
    });
    expect(verdict).toMatchObject({ answer, status });
  } finally {
    mart.close();
  }
});

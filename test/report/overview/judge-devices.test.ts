import { expect, it } from "vitest";
import { findEqualNames } from "../../../src/report/findings/names.ts";
import { judgeDevices } from "../../../src/report/overview/judge-devices.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

it.each([
  [[], "not known yet", "No device has been checked yet."],
  [["up"], "good", "None of 1 device is down; none had a storage error in the last 7 days."],
  [
    ["up", "unknown"],
    "look at it",
    "None of 1 device with a known state is down; none had a storage error in the last 7 days. 1 of 2 devices is in an unknown state: “unknown” (1). Add the statuses that mean down to VENUE_DOWN_STATUS.",
  ],
  [
    ["up", "unknown", "unknown"],
    "not known yet",
    "None of 1 device with a known state is down; none had a storage error in the last 7 days. 2 of 3 devices are in an unknown state: “unknown” (2). Add the statuses that mean down to VENUE_DOWN_STATUS.",
  ],
  [
    ["down", "unknown", "unknown"],
    "bad",
    "1 of 1 device with a known state is down; none had a storage error in the last 7 days. 2 of 3 devices are in an unknown state: “unknown” (2). Add the statuses that mean down to VENUE_DOWN_STATUS.",
  ],
])("judges devices that are %j as %s", async (states, status, answer) => {
  const folder = createTempFolder();
  const devices = states.map((state, index) => ({ device_id: index, zone_id: index, state, status: state }));
  await publishFixture(folder, { version: "v000001", dataAsOf: null, rows: { dim_device: devices } });
  const mart = await openPublished(folder, { threads: 1 });
  try {
    const verdict = await judgeDevices({
      mart,
      now: new Date("2026-11-21T06:00:00Z"),
      names: await findEqualNames(mart),
      read: async () => devices,
      periodOf: async () => ({ from: "2026-10-24", to: "2026-11-20" }),
      asOf: async () => null,
    });
    expect(verdict).toMatchObject({ status, answer });
  } finally {
    mart.close();
  }
});

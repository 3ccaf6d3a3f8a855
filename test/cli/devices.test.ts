import { join } from "node:path";
import { expect, it } from "vitest";
import { attributedWorld } from "../report/attributed-world.ts";
import { publishFixture } from "../support/published-fixture.ts";
import { runVenue } from "../support/run-venue.ts";
import { createTempFolder } from "../support/temp-folder.ts";

it("--fail-under tests the ratio of devices that are not down, whichever rows are shown", async () => {
  const folder = createTempFolder();
  const world = attributedWorld();
  // Devices of zones 13 and 16 are down.
  const devices = (world.rows.dim_device ?? []).map((device) =>
    device.zone_id === 15 ? { ...device, status: "sleeping", state: "unknown" } : device,
  );
  await publishFixture(join(folder, "published"), { ...world, rows: { ...world.rows, dim_device: devices } });
  const setup = { environment: { VENUE_DATA_DIR: folder }, workingFolder: folder };
  const devicesBelow = async (share: string, ...words: string[]) => {
    const typed = ["report", "devices", "--fail-under", share, "--format", "csv", ...words];
    const { code, stdout, stderr } = await runVenue(typed, setup);
    const rows = stdout.trimEnd().split("\n").length - 1;
    return [code, rows, /warning: (.*)/.exec(stderr)?.[1]];
  };
  const all = "3 of 5 devices with a known state are not down: 0.6 is below 0.7.";
  expect(await devicesBelow("0.6")).toEqual([0, 6, undefined]);
  expect(await devicesBelow("0.7")).toEqual([1, 6, all]);
  expect(await devicesBelow("0.7", "--only", "up", "--top", "1")).toEqual([1, 1, all]);
  expect(await devicesBelow("0.7", "--only", "silent")).toEqual([1, 0, all]);
  expect(await devicesBelow("1", "--zone", "11", "--only", "down")).toEqual([0, 0, undefined]);
  expect(await devicesBelow("0.667", "--group", "1")).toEqual([
    1,
    3,
    "2 of 3 devices with a known state are not down: 0.666 is below 0.667.",
  ]);
  expect(await devicesBelow("0.9", "--where", "region=North")).toEqual([
    1,
    2,
    "1 of 2 devices with a known state is not down: 0.5 is below 0.9.",
  ]);
  expect(await devicesBelow("0", "--zone", "15")).toEqual([
    1,
    1,
    "No device has a known state to compare with 0.",
  ]);
});

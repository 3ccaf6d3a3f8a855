import { describe, expect, it } from "vitest";
import { type EmulatorOptions, startEmulator } from "../../src/emulator/emulator.ts";
import { startSmallEmulator } from "./small-emulator.ts";

describe("options", () => {
  it.each<[EmulatorOptions, string]>([
    [{ port: 70_000 }, "port is 70000, but must be a whole number from 0 to 65535"],
    [{ zones: 0 }, "zones is 0"],
    [{ days: 1.5 }, "days is 1.5"],
    [{ seed: -1 }, "seed is -1"],
    [{ startDate: "2026-02-30" }, "startDate is 2026-02-30, but must be a date, YYYY-MM-DD"],
    [{ zoneScales: [{ zoneId: 81001, playScale: 301 }] }, "playScale of zone 81001 is 301"],
    [
      { deviceSwaps: [{ zoneId: 81001, day: 0.5, deviceId: 94001 }] },
      "day of deviceSwaps in zone 81001 is 0.5",
    ],
    [{ deviceSwaps: [{ zoneId: 81001, day: 1, deviceId: 0 }] }, "deviceId of deviceSwaps in zone 81001 is 0"],
    [
      { zones: 2, deviceSwaps: [{ zoneId: 5, day: 1, deviceId: 94001 }] },
      "zone 5, but there are zones 81001 to 81002",
    ],
    [{ now: new Date("x") }, "now must be a valid date"],
    [{ ratePerSecond: 0 }, "ratePerSecond is 0"],
    [{ exportSeconds: Number.NaN }, "exportSeconds is NaN"],
    [{ faults: [{ name: "server-error", probability: 2 }] }, "probability of server-error is 2"],
  ])("rejects %j", async (options, message) => {
    await expect(startEmulator(options)).rejects.toMatchObject({
      name: "EmulatorOptionError",
      category: "usage",
      message: expect.stringContaining(message),
    });
  });

  it("names a port in use", async () => {
    const first = await startSmallEmulator();
    const port = Number(new URL(first.baseUrl).port);
    await expect(startEmulator({ port })).rejects.toMatchObject({
      code: "EMULATOR_OPTION",
      message: expect.stringContaining(`can't listen on port ${port} of 127.0.0.1`),
    });
  });
});

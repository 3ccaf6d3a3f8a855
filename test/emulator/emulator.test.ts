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
    [{ zoneScales: [{ zoneId: 81001, playScale: 301 }] }, "zoneScales.0.playScale is 301"],
    [{ deviceSwaps: [{ zoneId: 81001, day: 0.5, deviceId: 94001 }] }, "deviceSwaps.0.day is 0.5"],
    [{ deviceSwaps: [{ zoneId: 81001, day: 1, deviceId: 0 }] }, "deviceSwaps.0.deviceId is 0"],
    [{ now: new Date("x") }, "now is Invalid Date, but must be a valid date"],
    [{ ratePerSecond: 0 }, "ratePerSecond is 0"],
    [{ exportSeconds: Number.NaN }, "exportSeconds is NaN"],
  ])("rejects %j", async (options, message) => {
    await expect(startEmulator(options)).rejects.toMatchObject({
      name: "EmulatorOptionError",
      category: "usage",
      message: expect.stringContaining(message),
    });
  });

  it("reports a port in use", async () => {
    const first = await startSmallEmulator();
    const port = Number(new URL(first.baseUrl).port);
    await expect(startEmulator({ port })).rejects.toMatchObject({
      code: "EMULATOR_OPTION",
      message: expect.stringContaining(`can't listen on port ${port} of 127.0.0.1`),
    });
  });
});

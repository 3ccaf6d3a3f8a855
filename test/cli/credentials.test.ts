import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runVenue } from "../support/run-venue.ts";
import { setUp } from "../support/service.ts";

const small = { days: 1, zones: 2, playScale: 0.1 };
const listDevices = ["api", "devices", "status", "--group-id", "7"];

describe("an unencrypted service URL", () => {
  /** An address of this machine that is not loopback by name: Linux leads it to loopback. */
  const reachable = (url = "") => url.replace("127.0.0.1", "0.0.0.0");

  it.each([listDevices, ["sync"], ["login"]])(
    "is refused before anything is sent: venue %s",
    async (...args) => {
      const setup = await setUp(small);
      setup.environment.VENUE_BASE_URL = reachable(setup.emulator.baseUrl);
      const { code, stderr } = await runVenue(args, { ...setup, input: `${setup.emulator.oneTimeCode}\n` });
      expect(stderr).toContain(
        `VENUE_BASE_URL is ${setup.environment.VENUE_BASE_URL}, which is not encrypted`,
      );
      expect(stderr).toContain("Use https, or set VENUE_ALLOW_HTTP=1");
      expect([code, setup.emulator.requests.length]).toEqual([2, 0]);
      expect(existsSync(join(setup.workingFolder, "home", "credentials.json"))).toBe(false);
    },
  );

  it("is refused for the status API, too", async () => {
    const setup = await setUp(small);
    setup.environment.VENUE_STATUS_URL = reachable(setup.emulator.statusUrl);
    const { code, stderr } = await runVenue(["api", "status", "page"], setup);
    expect(stderr).toContain("VENUE_STATUS_URL is http://0.0.0.0");
    expect([code, setup.emulator.requests.length]).toEqual([2, 0]);
  });

  it("is used with a warning where VENUE_ALLOW_HTTP is 1", async () => {
    const setup = await setUp(small);
    setup.environment.VENUE_BASE_URL = reachable(setup.emulator.baseUrl);
    setup.environment.VENUE_ALLOW_HTTP = "1";
    const args = ["api", "devices", "status", "--group-id", String(setup.emulator.world.groupIds[0])];
    const { code, stderr } = await runVenue(args, setup);
    expect(stderr).toBe(
      `warning: Whatever is sent to ${setup.environment.VENUE_BASE_URL} can be read on the network ` +
        "(VENUE_ALLOW_HTTP=1). Use https.\n",
    );
    expect(code).toBe(0);
  });
});

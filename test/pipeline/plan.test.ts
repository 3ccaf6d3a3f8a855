import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sync } from "../../src/pipeline/sync.ts";
import { itEachSampled } from "../support/long-suite.ts";
import { setUp } from "../support/service.ts";
import { openWorkspace, planHere, syncHere } from "./sync-workspace.ts";

const options = { topics: ["devices", "history"], keepLandingDays: 7 } as const;

it("needs no token if the stored credentials have a valid one", async () => {
  const setup = await setUp({ days: 1, zones: 1 });
  const { VENUE_CLIENT_ID, VENUE_CLIENT_SECRET, VENUE_HOME = "" } = setup.environment;
  delete setup.environment.VENUE_CLIENT_ID;
  delete setup.environment.VENUE_CLIENT_SECRET;
  const planned = async () =>
    planHere(openWorkspace(setup), { ...options, topics: ["devices"] }).steps.map(({ what }) => what);
  expect(await planned()).toEqual(["access token", "devices"]);
  mkdirSync(VENUE_HOME, { recursive: true });
  const credentials = { client_id: VENUE_CLIENT_ID, client_secret: VENUE_CLIENT_SECRET };
  writeFileSync(join(VENUE_HOME, "credentials.json"), JSON.stringify(credentials), { mode: 0o600 });
  await syncHere(setup, { ...options, topics: ["devices"] });
  expect(await planned()).toEqual(["devices"]);
});

itEachSampled(["campaigns", "history"] as const, 1)(
  "counts the device listings that only %s need while zones are unknown",
  async (topic) => {
    const setup = await setUp({ days: 1, zones: 2, playScale: 0.1 });
    const alone = { topics: [topic], keepLandingDays: 7, mode: "walk" } as const;
    const first = planHere(openWorkspace(setup), alone);
    expect(first.steps.map(({ what }) => what)).toContain("devices");
    await syncHere(setup, alone);
    const ofZones = setup.emulator.requests.filter(({ path }) => /zone|data/.test(path));
    expect(first.requests).toBe(setup.emulator.requests.length - ofZones.length);
    const second = planHere(openWorkspace(setup), alone);
    expect(second.steps.map(({ what }) => what)).not.toContain("devices");
  },
);

itEachSampled([true, false], 1)("counts what is left of stopped walks; from scratch: %s", async (isFull) => {
  const setup = await setUp({ days: 3, zones: 1, pageLimit: 10, playScale: 0.5, ratePerSecond: 50 });
  const walks = { topics: ["history"], keepLandingDays: 7, mode: "walk", isFull } as const;
  await syncHere(setup, { ...walks, topics: ["devices"], isFull: false });
  const stopper = new AbortController();
  const watch = setInterval(() => {
    if (setup.emulator.requests.length > 50) stopper.abort(new Error("stopped"));
  }, 5);
  const stopped = sync({ ...openWorkspace(setup), signal: stopper.signal }, walks);
  await expect(stopped).rejects.toThrow("stopped");
  clearInterval(watch);
  const planned = planHere(openWorkspace(setup), walks);
  expect(planned.unknown).toBe(0);
  // A full sync does not resume another sync's walk.
  const anew = planHere(openWorkspace(setup), { ...walks, isFull: true });
  expect(anew.unknown > 0).toBe(!isFull);
  const rest = await syncHere(setup, walks);
  expect(Math.abs(planned.requests - rest.requests)).toBeLessThanOrEqual(0.2 * rest.requests);
});

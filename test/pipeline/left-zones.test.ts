import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { alterService } from "../support/altered-service.ts";
import { itInAll } from "../support/long-suite.ts";
import { type Setup, setNow, setUp, trueFigures } from "../support/service.ts";
import { coreFigures } from "./core-figures.ts";
import { openWorkspace, planHere, syncHere } from "./sync-workspace.ts";

const small = { days: 6, zones: 3, playScale: 0.2 };
const walks = { mode: "walk", topics: ["history", "devices"] } as const;
const dayMs = 86_400_000;

/** A day before the end of the world, with listings that contain other devices from then on. */
async function setUpWithUnlisted(listed: (device: { zone_id: number }) => boolean): Promise<Setup> {
  const setup = await setUp(small);
  const { endsAt } = setup.emulator.world;
  setNow(setup, new Date(endsAt.getTime() - dayMs));
  await alterService(setup, ({ path }) =>
    path.includes("devices/status") && setup.emulator.now().getTime() === endsAt.getTime()
      ? { json: (devices) => devices.filter(listed) }
      : undefined,
  );
  return setup;
}

function endWorld(setup: Setup): void {
  setNow(setup, setup.emulator.world.endsAt);
}

function truth({ emulator }: Setup) {
  return trueFigures(emulator.world, emulator.now());
}

itInAll("collects plays of a zone from before it left its group's listing", async () => {
  const setup = await setUpWithUnlisted(({ zone_id }) => zone_id !== 81001);
  await syncHere(setup, walks);
  endWorld(setup);
  const { failures } = await syncHere(setup, walks);
  expect(failures).toEqual([]);
  expect(await coreFigures(setup)).toEqual(truth(setup));
});

itInAll("a missing token does not count as a refusal of a zone or an export", async () => {
  const setup = await setUp(small);
  let isGiven = true;
  const passed = await alterService(setup, ({ path }) =>
    path.endsWith("/token") && !isGiven ? { status: 404 } : undefined,
  );
  await syncHere(setup, walks);
  rmSync(join(setup.environment.VENUE_HOME ?? "", "client.db"));
  isGiven = false;
  const sources = passed.length + 8;
  const { failures, nothing } = await syncHere(setup, { ...walks, mode: "export" });
  expect(failures).toHaveLength(8);
  expect(nothing?.code).toBe("TOKEN_NOT_GIVEN");
  expect(passed).toHaveLength(sources);
  const { state } = openWorkspace(setup);
  const service = setup.environment.VENUE_BASE_URL ?? "";
  expect(state.zones.gone(service).size).toBe(0);
  expect(state.exportJobs.record(service, "music", 58429).failures).toBe(0);
});

itInAll("walks the previous zones if a listing has none, and reports it", async () => {
  const setup = await setUpWithUnlisted(() => false);
  await syncHere(setup, walks);
  endWorld(setup);
  const { notes, sources } = await syncHere(setup, walks);
  expect(notes).toContainEqual(
    expect.stringMatching(/^devices of group 58429: its device list is empty \(it had \d zones?\)/),
  );
  expect(sources.history).toMatchObject({ expected: 9, complete: 9 });
  expect(await coreFigures(setup)).toEqual(truth(setup));
});

itInAll("reports once that a zone is gone that is unlisted and not found, and plans without it", async () => {
  const setup = await setUpWithUnlisted(({ zone_id }) => zone_id !== 81001);
  const exports = { mode: "export", topics: ["history", "devices", "campaigns"] } as const;
  await syncHere(setup, exports);
  endWorld(setup);
  setup.emulator.setFaults([{ name: "zone-gone", value: 81001 }]);
  const first = await syncHere(setup, exports);
  expect(first.failures.map(({ source }) => source).sort()).toEqual(
    ["messaging assets", "messaging campaigns", "signage assets", "signage campaigns"].map(
      (listing) => `${listing} of zone 81001`,
    ),
  );
  const options = { topics: ["devices", "campaigns"], keepLandingDays: 7 } as const;
  const planned = planHere(openWorkspace(setup), options);
  const second = await syncHere(setup, options);
  expect(second.failures).toEqual([]);
  expect(second.requests).toBe(planned.requests);
});

import { describe, expect, it } from "vitest";
import { collectListing } from "../../../src/extract/listing/collect-listing.ts";
import { priority, RequestGate } from "../../../src/extract/request-gate.ts";
import { openSqlite } from "../../../src/state/sqlite.ts";
import { itInAll } from "../../support/long-suite.ts";
import { serveResponses } from "../fake-service.ts";

const devices = { source: "devices", groupId: 1 } as const;

function listOf(zones: number): object[] {
  return Array.from({ length: zones }, (_, index) => ({
    zone_id: index + 1,
    device_id: index + 1,
    status: "online",
    firmware: "x".repeat(100),
  }));
}

it("dates a listing by the start of its request, however long it waited", async () => {
  const service = await serveResponses(
    () => ({ json: listOf(1) }),
    () => now,
  );
  let now = new Date("2026-11-21T10:00:00Z");
  const context = service.begin();
  const gate = new RequestGate(1, context.stopping);
  const leave = await gate.enter(priority.exports);
  context.clock.now = () => now;
  const collecting = collectListing(devices, { ...context, gate });
  now = new Date("2026-11-21T10:20:00Z");
  leave();
  expect((await collecting).landing.requestedAt).toEqual(now);
});

itInAll("dates a listing that was truncated at first by the complete attempt", async () => {
  let now = new Date("2026-11-21T10:00:00Z");
  const service = await serveResponses(
    () => {
      const isCut = service.requested.length === 1;
      // So late that the next attempt sees it.
      if (isCut) now = new Date("2026-11-21T10:20:00Z");
      return { json: listOf(15_000), isCut };
    },
    () => now,
  );
  const context = service.begin();
  context.clock.now = () => now;
  const { landing } = await collectListing(devices, context);
  expect(service.requested).toHaveLength(2);
  expect(landing.requestedAt).toEqual(now);
});

it("records a device listing with its zones, or not at all", async () => {
  const service = await serveResponses(() => ({ json: listOf(2) }));
  const context = service.begin();
  const { state, folder, collectionId } = context;
  const database = openSqlite(folder.stateFile, "state/data");
  database.script(
    "create trigger fails before insert on group_zone begin select raise(abort, 'the disk is full'); end",
  );
  await expect(collectListing(devices, context)).rejects.toThrow("the disk is full");
  expect(state.landings.isComplete(collectionId, devices)).toBeUndefined();
  database.script("drop trigger fails");
  database.close();
  await collectListing(devices, context);
  expect(state.landings.isComplete(collectionId, devices)).toBe(true);
  expect(state.zones.ofGroup(service.baseUrl, 1)).toEqual([1, 2]);
});

it("reports a first listing without zones", async () => {
  const service = await serveResponses(() => ({ json: [] }));
  const { note } = await collectListing(devices, service.begin());
  expect(note).toBe("its device list is empty; only zones in loaded history are requested");
});

describe("dates a cached listing by the time at which the service produced it", () => {
  const first = new Date("2026-11-21T10:00:00Z");
  const later = (seconds: number) => new Date(first.getTime() + seconds * 1000);

  it.each([
    ["the service's clock is right", {}],
    ["the service's clock is an hour slow", { date: new Date(Date.now() - 3_600_000).toUTCString() }],
    ["the service's clock is an hour fast", { date: new Date(Date.now() + 3_600_000).toUTCString() }],
  ])("our own cache: %s", async (_label, date) => {
    let now = first;
    const headers = { "cache-control": "max-age=7200", ...date };
    const service = await serveResponses(
      () => ({ json: listOf(1), headers }),
      () => now,
    );
    for (const seconds of [0, 60, 600]) {
      now = later(seconds);
      const { landing } = await collectListing(devices, service.begin());
      expect(landing.requestedAt).toEqual(first);
    }
    expect(service.requested).toHaveLength(1);
  });

  it("a revalidated one is dated by the revalidation", async () => {
    let now = first;
    const service = await serveResponses(
      () =>
        service.requested.length === 1
          ? { json: listOf(1), headers: { etag: '"1"', "cache-control": "no-cache" } }
          : { status: 304 },
      () => now,
    );
    await collectListing(devices, service.begin());
    now = later(600);
    const { landing } = await collectListing(devices, service.begin());
    expect(service.requested).toHaveLength(2);
    expect(landing.requestedAt).toEqual(now);
  });

  it.each([
    ["a shared cache", "300", 300],
    ["a cache with an impossible age", "999999999999", 7 * 24 * 3600],
    ["a cache with an invalid age", "-5", 0],
  ])("%s", async (_label, age, seconds) => {
    const service = await serveResponses(
      () => ({ json: listOf(1), headers: { age } }),
      () => first,
    );
    const { landing } = await collectListing(devices, service.begin());
    expect(landing.requestedAt).toEqual(later(-seconds));
  });

  it("a response reused from a shared cache is not a second observation", async () => {
    let now = first;
    const ages = ["300", "359", "421"];
    const service = await serveResponses(
      () => ({ json: listOf(1), headers: { age: ages[service.requested.length - 1] } }),
      () => now,
    );
    const instants: Date[] = [];
    for (const seconds of [0, 60, 120]) {
      now = later(seconds);
      instants.push((await collectListing(devices, service.begin())).landing.requestedAt);
    }
    expect(instants).toEqual([later(-300), later(-300), later(-300)]);
  });
});

import { expect, it } from "vitest";
import { collectListing } from "../../../src/extract/listing/collect-listing.ts";
import { priority, RequestGate } from "../../../src/extract/request-gate.ts";
import { openSqlite } from "../../../src/state/sqlite.ts";
import { serveAnswers } from "../answering-service.ts";

const devices = { source: "devices", groupId: 1 } as const;

function listOf(zones: number): object[] {
  return Array.from({ length: zones }, (_, index) => ({
    zone_id: index + 1,
    device_id: index + 1,
    status: "online",
    firmware: "x".repeat(100),
  }));
}

it("dates a listing by when its request is let through, however long it waited", async () => {
  const service = await serveAnswers(() => ({ json: listOf(1) }));
  const context = service.begin();
  const gate = new RequestGate(1, context.stopping);
  let now = new Date("2026-11-21T10:00:00Z");
  const leave = await gate.enter(priority.exports);
  const clock = { ...context.clock, now: () => now };
  const collecting = collectListing(devices, { ...context, gate, clock });
  now = new Date("2026-11-21T10:20:00Z");
  leave();
  expect((await collecting).landing.requestedAt).toEqual(now);
});

it("dates a listing that came cut at first by the attempt that brought all of it", async () => {
  let now = new Date("2026-11-21T10:00:00Z");
  const service = await serveAnswers(() => {
    const isCut = service.asked.length === 1;
    // So late that it is the next attempt's.
    if (isCut) now = new Date("2026-11-21T10:20:00Z");
    return { json: listOf(15_000), isCut };
  });
  const context = service.begin();
  const clock = { ...context.clock, now: () => now };
  const { landing } = await collectListing(devices, { ...context, clock });
  expect(service.asked).toHaveLength(2);
  expect(landing.requestedAt).toEqual(now);
});

it("records a devices listing together with its zones or not at all", async () => {
  const service = await serveAnswers(() => ({ json: listOf(2) }));
  const context = service.begin();
  const { state, folder, collectionId } = context;
  const database = openSqlite(folder.stateFile, "state/data");
  database.script(
    "create trigger fails before insert on group_zone begin select raise(abort, 'the disk is full'); end",
  );
  await expect(collectListing(devices, context)).rejects.toThrow("the disk is full");
  expect(state.landings.has(collectionId, devices)).toBe(false);
  database.script("drop trigger fails");
  database.close();
  await collectListing(devices, context);
  expect(state.landings.has(collectionId, devices)).toBe(true);
  expect(state.zones.ofGroup(service.baseUrl, 1)).toEqual([1, 2]);
});

it("says of a first listing that it names no zone", async () => {
  const service = await serveAnswers(() => ({ json: [] }));
  const { note } = await collectListing(devices, service.begin());
  expect(note).toBe("its device list is empty; only zones in loaded history are requested");
});

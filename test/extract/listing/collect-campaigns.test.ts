import { expect, it } from "vitest";
import { extract } from "../../../src/extract/extract.ts";
import { kinds } from "../../../src/util/kind.ts";
import { serveResponses } from "../fake-service.ts";

it("requests refused listings no more often than others", async () => {
  const service = await serveResponses(({ name }) => {
    if (name.includes("messaging/")) return { status: 403 };
    if (!name.includes("devices/")) return { json: [] };
    return { json: [1, 2, 3, 4].map((zone_id) => ({ zone_id, device_id: zone_id, status: "online" })) };
  });
  const order = {
    groupIds: [1],
    topics: ["devices", "campaigns"],
    ways: [],
    zoneListings: 6,
  } as const;
  const ofZones = () => service.requested.filter((name) => name.includes("/zone?"));
  for (const day of ["01", "02", "03"]) {
    const context = service.begin();
    const clock = { ...context.clock, now: () => new Date(`2026-11-${day}T04:00:00Z`) };
    await extract(order, { ...context, clock }, () => {});
  }
  expect(ofZones()).toHaveLength(18);
  expect(new Set(ofZones()).size).toBe(16);
});

it.each([
  ["one of its listings", (name: string) => name.includes("signage/assets"), [4, 4]],
  ["all of its listings", () => true, [4, 0]],
])("collects the histories of an unlisted zone that refuses %s", async (_label, isRefused, listings) => {
  const service = await serveResponses(({ name }) => {
    if (name.includes("/zone?zone_id=2") && isRefused(name)) return { status: 404 };
    if (name.includes("/history"))
      return { json: { total_count: 0, page_size: 1000, page: 1, page_count: 0, data: [] } };
    return { json: name.includes("devices/") ? [{ zone_id: 1, device_id: 1, status: "online" }] : [] };
  });
  const order = {
    groupIds: [1],
    topics: ["history", "devices", "campaigns"],
    ways: kinds.map((kind) => ({ groupId: 1, kind, way: "walk" as const })),
    zoneListings: 100,
  } as const;
  const requested = [];
  for (let run = 1; run <= 2; run += 1) {
    const before = service.requested.length;
    const context = service.begin();
    context.state.histories.replace({ sizes: [], zones: [{ groupId: 1, zoneId: 2 }] });
    await extract(order, context, () => {});
    const ofZone2 = service.requested.slice(before).filter((name) => name.includes("zone_id=2"));
    const histories = new Set(ofZone2.filter((name) => name.includes("/history")));
    requested.push([histories.size, new Set(ofZone2).size - histories.size]);
  }
  expect(requested).toEqual(listings.map((count) => [3, count]));
});

import { expect, it } from "vitest";
import { extract } from "../../../src/extract/extract.ts";
import { serveAnswers } from "../answering-service.ts";

it("asks for listings that are refused no more often than for others", async () => {
  const service = await serveAnswers(({ name }) => {
    if (name.includes("messaging/")) return { status: 403 };
    if (!name.includes("devices/")) return { json: [] };
    return { json: [1, 2, 3, 4].map((zone_id) => ({ zone_id, device_id: zone_id, status: "online" })) };
  });
  const order = {
    groupIds: [1],
    topics: ["devices", "campaigns"],
    ways: [],
    zonesInHistory: () => [],
    zoneListings: 6,
  } as const;
  const ofZones = () => service.asked.filter((name) => name.includes("/zone?"));
  for (const day of ["01", "02", "03"]) {
    const context = service.begin();
    const clock = { ...context.clock, now: () => new Date(`2026-11-${day}T04:00:00Z`) };
    await extract(order, { ...context, clock }, () => {});
  }
  expect(ofZones()).toHaveLength(18);
  expect(new Set(ofZones()).size).toBe(16);
});

import { describe, expect, it } from "vitest";
import { numbersOf, sorted } from "./page-lists.ts";
import { type PageRequest, plays, servePages } from "./page-server.ts";

describe("a refused limit", () => {
  const list = plays(4000);
  const most = (request: PageRequest, greatest: number) => ({
    data: list.slice(request.offset, request.offset + Math.min(request.limit, greatest)),
    total: 4000,
  });

  it("for one zone leaves those of other zones alone", async () => {
    const zone = await servePages((request) =>
      request.zoneId === 6 && request.limit > 50 ? 422 : most(request, 1000),
    );
    const context = zone.begin();
    await expect(zone.walk(context, 6).then(({ pages }) => pages)).rejects.toThrow("422");
    for (const zoneId of [7, 8, 9]) expect((await zone.walk(context, zoneId)).pages).toBe(5);
  });

  it("for some zones after others accepted it", async () => {
    const zone = await servePages((request) =>
      request.zoneId <= 3 && request.limit > 100 ? 422 : most(request, 1000),
    );
    const context = zone.begin();
    expect((await zone.walk(context, 7)).pages).toBe(5);
    for (const zoneId of [1, 2, 3]) await zone.walk(context, zoneId);
    expect((await zone.walk(context, 8)).pages).toBe(5);
  });

  it.each([[200, 4, 21]])(
    "above %d for each zone is soon no longer requested",
    async (greatest, refused, pages) => {
      let refusals = 0;
      const zone = await servePages((request) => {
        if (request.limit <= greatest) return most(request, greatest);
        refusals += 1;
        return 400;
      });
      const context = zone.begin();
      for (const zoneId of [1, 2, 3, 4]) await zone.walk(context, zoneId);
      expect((await zone.walk(context, 5)).pages).toBe(pages);
      expect(refusals).toBe(refused);
      expect(sorted(zone.found)).toEqual(numbersOf(list));
    },
  );

  it("is requested in vain by few of many concurrent walks", async () => {
    let refusals = 0;
    const few = plays(200);
    const zone = await servePages(({ offset, limit }) => {
      if (limit <= 100) return { data: few.slice(offset, offset + limit), total: few.length };
      refusals += 1;
      return 400;
    });
    const context = zone.begin();
    const zoneIds = Array.from({ length: 20 }, (_, index) => index + 1);
    await Promise.all(zoneIds.map((zoneId) => zone.walk(context, zoneId)));
    // 1000, 500 and 200, each by eight in parallel, and once before a second zone shows the limit.
    expect(refusals).toBeLessThanOrEqual(27);
  });
});

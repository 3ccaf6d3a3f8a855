import { expect, it } from "vitest";
import { extract } from "../../src/extract/extract.ts";
import { kinds } from "../../src/util/kind.ts";
import { serveAnswers } from "./answering-service.ts";

const emptyPage = { total_count: 0, page_size: 1000, page: 1, page_count: 0, data: [] };

/** A service that lists zones 1 and 2, fails exports, and does not know these histories, as `messaging 1`. */
async function serveWithout(...missing: string[]) {
  const service = await serveAnswers(({ name, url }) => {
    if (name.startsWith("POST")) return { json: { job_id: "j", status: "processing" } };
    if (name.includes("exports/j")) return { json: { status: "failed", error: "full" } };
    if (name.includes("devices/"))
      return { json: [1, 2].map((zone_id) => ({ zone_id, device_id: zone_id, status: "online" })) };
    const [, kind] = /data\/(\w+)\/history/.exec(url.pathname) ?? [];
    return missing.includes(`${kind} ${url.searchParams.get("zone_id")}`)
      ? { status: 404 }
      : { json: emptyPage };
  });
  /** Histories of a run of these alone, and what came of them. */
  const collect = async (musicWay: "export" | "walk"): Promise<string[]> => {
    const results: string[] = [];
    const ways = kinds.map(
      (kind) => ({ groupId: 1, kind, way: kind === "music" ? musicWay : "walk" }) as const,
    );
    const order = { groupIds: [1], ways, zonesInHistory: () => [], zoneListings: 0 };
    await extract({ ...order, topics: ["history"] }, service.begin(), ({ name, state }) => {
      if (name.includes("history")) results.push(`${name}: ${state}`);
    });
    return results.sort();
  };
  return { ...service, collect };
}

it("collects what there is of a zone of which one history is not found, and says so each time", async () => {
  const { collect } = await serveWithout("messaging 1");
  const all = [
    "messaging history of zone 1: failed",
    "messaging history of zone 2: complete",
    "music history of zone 1: complete",
    "music history of zone 2: complete",
    "signage history of zone 1: complete",
    "signage history of zone 2: complete",
  ];
  // The export of music is given up, and walked, after the others.
  expect(await collect("export")).toEqual(all);
  expect(await collect("walk")).toEqual(all);
});

it("asks no more for a zone none of whose histories is found", async () => {
  const { collect } = await serveWithout("music 1", "signage 1", "messaging 1");
  const ofZone2 = ["messaging", "music", "signage"].map((kind) => `${kind} history of zone 2: complete`);
  expect(await collect("walk")).toEqual(expect.arrayContaining(ofZone2));
  expect(await collect("walk")).toEqual(ofZone2);
});

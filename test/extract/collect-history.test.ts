import { expect, it } from "vitest";
import { extract } from "../../src/extract/extract.ts";
import { kinds } from "../../src/util/kind.ts";
import { serveResponses } from "./fake-service.ts";

const emptyPage = { total_count: 0, page_size: 1000, page: 1, page_count: 0, data: [] };

/** A service that lists these zones, fails exports, and lacks the given histories, e.g. `messaging 1`. */
async function serveWithout(missing: readonly string[], listed: readonly number[] = [1, 2]) {
  const service = await serveResponses(({ name, url }) => {
    if (name.startsWith("POST")) return { json: { job_id: "j", status: "processing" } };
    if (name.includes("exports/j")) return { json: { status: "failed", error: "full" } };
    if (name.includes("devices/"))
      return { json: listed.map((zone_id) => ({ zone_id, device_id: zone_id, status: "online" })) };
    const [, kind] = /data\/(\w+)\/history/.exec(url.pathname) ?? [];
    return missing.includes(`${kind} ${url.searchParams.get("zone_id")}`)
      ? { status: 404 }
      : { json: emptyPage };
  });
  /** Collects only these histories in a run; returns the outcome of each. */
  const collect = async (musicWay: "export" | "walk"): Promise<string[]> => {
    const results: string[] = [];
    const ways = kinds.map(
      (kind) => ({ groupId: 1, kind, way: kind === "music" ? musicWay : "walk" }) as const,
    );
    const order = { groupIds: [1], ways, zoneListings: 0 };
    const context = service.begin();
    const zones = [1, 2].map((zoneId) => ({ groupId: 1, zoneId }));
    context.state.histories.replace({ sizes: [], zones });
    await extract({ ...order, topics: ["history", "devices"] }, context, ({ name, state }) => {
      if (name.includes("history")) results.push(`${name}: ${state}`);
    });
    return results.sort();
  };
  return { ...service, collect };
}

const allMissing = ["music 1", "signage 1", "messaging 1"];
const ofZone = (zoneId: number, state: "complete" | "failed") =>
  ["messaging", "music", "signage"].map((kind) => `${kind} history of zone ${zoneId}: ${state}`);

it.each([
  ["listed", [1, 2]],
  ["not listed", [2]],
  ["no zone is listed", []],
])(
  "collects the other histories of a zone if one is not found, and reports it each time: %s",
  async (_label, listed) => {
    const { collect } = await serveWithout(["messaging 1"], listed);
    const all = [
      "messaging history of zone 1: failed",
      ...ofZone(1, "complete").slice(1),
      ...ofZone(2, "complete"),
    ].sort();
    // The export of music is abandoned; its walk comes after the others.
    expect(await collect("export")).toEqual(all);
    expect(await collect("walk")).toEqual(all);
  },
);

it.each([
  ["it is listed", [1, 2], false],
  ["others are listed", [2], true],
  ["none is listed", [], false],
])(
  "requests a zone again that was refused all histories, unless listings contain only other zones: %s",
  async (_label, listed, isGone) => {
    const { collect } = await serveWithout(allMissing, listed);
    const both = [...ofZone(1, "failed"), ...ofZone(2, "complete")].sort();
    expect(await collect("walk")).toEqual(both);
    expect(await collect("walk")).toEqual(isGone ? ofZone(2, "complete") : both);
  },
);

import { expect } from "vitest";
import { openWarehouse } from "../../src/workspace/warehouse.ts";
import { type ListedOrder, type ListedService, serveListed } from "../support/listed-service.ts";
import { openWorkspace, type SyncSetup, syncHere } from "./sync-workspace.ts";

export const orders = ["newest", "oldest", "unsorted"] as const;
const startsAt = Date.parse("2026-11-01T00:00:00Z");
const hourMs = 3_600_000;
/** One who walks and one who exports, from one service, by one clock that counts hours. */
export async function setUpBoth(order: ListedOrder) {
  const service = await serveListed(order);
  let hours = 0;
  const now = () => new Date(startsAt + hours * hourMs);
  add(service, 120, -30, 0.2);
  const [walking, exporting] = [service.setup(now), service.setup(now)];
  return {
    service,
    walking,
    /** Both sync; answers the songs that are in the core of either, and how many pages of music the walk took. */
    async syncAt(at: number, options: { isFull?: boolean } = {}) {
      hours = at;
      await syncHere(exporting, { topics: ["history"], mode: "export" });
      const before = service.pages;
      const walked = await syncHere(walking, { topics: ["history"], mode: "walk", ...options });
      expect([walked.failures, walked.incomplete]).toEqual([[], []]);
      const lines = walked.loads.reduce((sum, load) => sum + load.lines, 0);
      return {
        core: await songsOf(walking),
        exported: await songsOf(exporting),
        lines,
        pages: service.pages - before,
      };
    },
    setHours(at: number) {
      hours = at;
    },
  };
}

/** Further plays, from an hour on. */
export function add({ records }: ListedService, count: number, fromHour: number, stepHours = 0.01): void {
  for (let index = 0; index < count; index += 1) {
    const play_start = new Date(startsAt + (fromHour + index * stepHours) * hourMs).toISOString();
    records.push({ song_id: records.length + 1, play_start });
  }
}

async function songsOf(setup: SyncSetup): Promise<string[]> {
  const warehouse = await openWarehouse({ path: openWorkspace(setup).folder.warehouseFile });
  const rows = await warehouse.all<{ play: string }>(
    "select item_id || ' ' || played_at || ' ' || duration_secs as play from core.play order by all",
  );
  warehouse.close();
  return rows.map(({ play }) => play);
}

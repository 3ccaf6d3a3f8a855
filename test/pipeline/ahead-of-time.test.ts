import { expect } from "vitest";
import { openWarehouse } from "../../src/workspace/warehouse.ts";
import { type ListedOrder, type ListedService, serveListed } from "../support/listed-service.ts";
import { itEachLimited } from "../support/long-suite.ts";
import { openWorkspace, planHere, type SyncSetup, syncHere } from "./sync-workspace.ts";

const orders = ["newest", "oldest", "unsorted"] as const;
const startsAt = Date.parse("2026-11-01T00:00:00Z");
const hourMs = 3_600_000;
/** New plays per page of `serveListed`, which repeats one from the previous page. */
const newOnPage = 49;

/** A walking and an exporting setup on one service, with a shared clock that counts hours. */
async function setUpBoth(order: ListedOrder) {
  const service = await serveListed(order);
  let hours = 0;
  const now = () => new Date(startsAt + hours * hourMs);
  add(service, 120, -30, 0.2);
  const [walking, exporting] = [service.setup(now), service.setup(now)];
  return {
    service,
    walking,
    /** Syncs both; returns the songs in either core and the number of music pages walked. */
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

function add({ records }: ListedService, count: number, fromHour: number, stepHours = 0.01): void {
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

itEachLimited(orders, 1)(
  "%s first: an incremental walk collects a play ahead of its time once it is due",
  async (order) => {
    const both = await setUpBoth(order);
    add(both.service, 2, 30);
    const isWhole = order === "unsorted";
    const found: number[] = [];
    for (const at of [0, 1, 8, 9]) {
      const { core, exported, lines, pages } = await both.syncAt(at);
      expect(core, `hour ${at}`).toEqual(exported);
      found.push(core.length);
      if (at === 0 || isWhole) continue;
      expect(pages).toBe(1);
      expect(lines).toBe(at === 8 ? 2 : 0);
    }
    expect(found).toEqual([120, 120, 122, 122]);
  },
);

itEachLimited(
  ["newest", "oldest"],
  0,
  1,
)("%s first: many, some still ahead, in as few requests as planned", async (order) => {
  const both = await setUpBoth(order);
  add(both.service, 130, 30);
  add(both.service, 60, 80);
  await both.syncAt(0);
  expect((await both.syncAt(1)).pages).toBe(1);
  both.setHours(8);
  const options = { topics: ["history"], mode: "walk", keepLandingDays: 7 } as const;
  const planned = planHere(openWorkspace(both.walking), options).history.find(({ kind }) => kind === "music");
  const due = await both.syncAt(8);
  expect(due.core).toHaveLength(250);
  expect(due.core).toEqual(due.exported);
  expect(due.pages).toBeLessThanOrEqual(Math.ceil((190 + 2) / newOnPage));
  // The plan allows for plays that arrive meanwhile: here there are none.
  expect((planned?.cost?.requests ?? 0) - due.pages).toBeGreaterThanOrEqual(0);
  expect((planned?.cost?.requests ?? 0) - due.pages).toBeLessThanOrEqual(1);
  expect((await both.syncAt(9)).pages).toBe(1);
  const last = await both.syncAt(57);
  expect(last.core).toHaveLength(310);
  expect(last.core).toEqual(last.exported);
});

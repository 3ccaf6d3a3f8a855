import { rmSync } from "node:fs";
import { expect, it } from "vitest";
import { LandingUnreadableError } from "../../../src/load/errors.ts";
import { loadLandings } from "../../../src/load/landings/load-landings.ts";
import type { Landing } from "../../../src/state/data/landings.ts";
import { withWarehouse } from "../../../src/workspace/workspace.ts";
import { Landed } from "./landed.ts";

const exported = { source: "export", kind: "music", groupId: 1 } as const;
const walkOf = (zoneId: number) => ({ source: "walk", kind: "music", zoneId }) as const;

/** Loads landings together; returns outcomes, landings still waiting, and the progress shown. */
async function load({ workspace }: Landed, landings: readonly Landing[], signal = workspace.signal) {
  const shown: string[] = [];
  const progress = { show: (text: string) => shown.push(text), clear: () => {} };
  const outcomes = await withWarehouse(workspace, async (warehouse) =>
    loadLandings(landings, warehouse, { ...workspace, progress, signal }),
  );
  const waiting = workspace.state.landings.listReady().map(({ landingId }) => landingId);
  return { outcomes, waiting, shown };
}

it("leaves unreadable landings unchanged, and records the others as loaded", async () => {
  const landed = new Landed();
  const landings = [walkOf(7), walkOf(8)].map((source) => landed.land(source));
  const [{ path = "", landingId = "" } = {}] = landings;
  rmSync(landed.workspace.folder.resolve(path));
  const { outcomes, waiting } = await load(landed, landings);
  expect(outcomes).toEqual([expect.any(LandingUnreadableError), expect.objectContaining({ newPlays: 1 })]);
  expect(waiting).toEqual([landingId]);
});

it("does so with listings, in the order given", async () => {
  const landed = new Landed();
  const [gone, there] = [7, 8].map((zoneId) =>
    landed.land({ source: "campaigns", kind: "signage", zoneId }, { lines: [] }),
  );
  rmSync(landed.workspace.folder.resolve(gone?.path ?? ""));
  const { outcomes, waiting, shown } = await load(
    landed,
    [gone, there].flatMap((landing) => landing ?? []),
  );
  expect(outcomes.map((outcome) => outcome instanceof LandingUnreadableError)).toEqual([true, false]);
  expect(waiting).toEqual([gone?.landingId]);
  expect(shown).toEqual(["Loading 2 listings"]);
});

it("shows the landings being loaded", async () => {
  const landed = new Landed();
  expect((await load(landed, [landed.land(exported)])).shown).toEqual([
    "Loading music: reading plays",
    "Loading music: storing names and days",
  ]);
  const walks = [walkOf(7), walkOf(8)].map((source) => landed.land(source));
  expect((await load(landed, walks)).shown).toEqual(["Loading music: 2 zones"]);
});

it.each<[string, (landed: Landed) => Landing[]]>([
  ["an export", (landed) => [landed.land(exported)]],
  ["walks", (landed) => [landed.land(walkOf(7)), landed.land(walkOf(8))]],
  ["listings", (landed) => [landed.land({ source: "devices", groupId: 1 }, { lines: [] })]],
])("%s interrupted during a load can be loaded later", async (_label, land) => {
  const landed = new Landed();
  const landings = land(landed);
  const stopped = new Error("stopped by a signal");
  await expect(load(landed, landings, AbortSignal.abort(stopped))).rejects.toBe(stopped);
  expect(landed.workspace.state.landings.listReady()).toHaveLength(landings.length);
});

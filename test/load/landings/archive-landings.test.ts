import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { archiveLandings, deleteOldLandings } from "../../../src/load/landings/landing-loader.ts";
import { createLandingId } from "../../../src/state/data/landings.ts";
import { syncHere } from "../../pipeline/sync-workspace.ts";
import { itInAll } from "../../support/long-suite.ts";
import { setUp } from "../../support/service.ts";
import { Landed, service } from "./landed.ts";

const exported = { source: "export", kind: "music", groupId: 1 } as const;
const walk = { source: "walk", kind: "music", zoneId: 7 } as const;

it("gzips loaded landings, and removes them after a later complete load", async () => {
  const landed = new Landed();
  const { workspace } = landed;
  const { landings } = workspace.state;
  const [first, other, last] = [landed.land(exported), landed.land(walk), landed.land(exported)];
  const text = landed.read(first.path);
  landings.mark("loaded", first.landingId, other.landingId);
  await archiveLandings(workspace, 0);
  expect([landed.read(first.path), landed.read(`${other.path}.gz`)]).toEqual([undefined, expect.anything()]);
  expect(gunzipSync(landed.read(`${first.path}.gz`) ?? "")).toEqual(text);
  expect(landed.read(last.path), "it waits to be loaded").toEqual(text);

  landings.mark("loaded", last.landingId);
  await archiveLandings(workspace, 1);
  expect(landed.read(`${first.path}.gz`), "for a day").toBeDefined();
  await archiveLandings(workspace, 0);
  expect(landed.read(`${first.path}.gz`)).toBeUndefined();
  expect(landings.isKnown(first.landingId), "another one follows it").toBe(false);
  expect(landings.listLoaded().map(({ path }) => path)).toEqual([`${other.path}.gz`, `${last.path}.gz`]);
  expect(readdirSync(workspace.folder.landing)).toHaveLength(2);
});

it("keeps a landing followed by an incomplete one", async () => {
  const landed = new Landed();
  const { landings } = landed.workspace.state;
  const [first, last] = [landed.land(exported), landed.land(exported, { isComplete: false })];
  landings.mark("loaded", first.landingId, last.landingId);
  await archiveLandings(landed.workspace, 0);
  expect(landings.listLoaded()).toHaveLength(2);
});

it("keeps a landing followed by one that could not be loaded", async () => {
  const landed = new Landed();
  const { landings } = landed.workspace.state;
  const [first, last] = [landed.land(exported), landed.land(exported)];
  landings.mark("loaded", first.landingId);
  landings.mark("broken", last.landingId);
  await archiveLandings(landed.workspace, 0);
  expect(landings.listLoaded().map(({ landingId }) => landingId)).toEqual([first.landingId]);
});

it("removes the empty file of a walk without new plays at once", async () => {
  const landed = new Landed();
  const { path, landingId } = landed.land(walk, { lines: [] });
  landed.workspace.state.landings.mark("loaded", landingId);
  await archiveLandings(landed.workspace, 7);
  expect(landed.read(path)).toBeUndefined();
  expect(readdirSync(landed.workspace.folder.landing)).toEqual([]);
});

it("continues if the file of a loaded landing is missing", async () => {
  const landed = new Landed();
  const { landings } = landed.workspace.state;
  const { path, landingId } = landed.land(exported);
  landings.mark("loaded", landingId);
  rmSync(landed.workspace.folder.resolve(path));
  await archiveLandings(landed.workspace, 7);
  expect(landings.listLoaded().map((landing) => landing.path)).toEqual([`${path}.gz`]);
  // The first landing leaves nothing to remove, either.
  const last = landed.land(exported);
  landings.mark("loaded", last.landingId);
  await archiveLandings(landed.workspace, 0);
  expect(landings.listLoaded().map((landing) => landing.path)).toEqual([`${last.path}.gz`]);
});

it("stops when interrupted, and keeps the landing it was gzipping", async () => {
  const landed = new Landed();
  const { workspace } = landed;
  const { path, landingId } = landed.land(exported);
  workspace.state.landings.mark("loaded", landingId);
  const text = landed.read(path);
  await expect(archiveLandings({ ...workspace, signal: AbortSignal.abort() }, 7)).rejects.toThrow("aborted");
  expect(landed.read(path)).toEqual(text);
  expect(landed.read(`${path}.gz`)).toBeUndefined();
  await archiveLandings(workspace, 7);
  expect(gunzipSync(landed.read(`${path}.gz`) ?? "")).toEqual(text);
});

it("removes only files that nothing will load", async () => {
  const landed = new Landed();
  const { folder, state } = landed.workspace;
  const write = (name: string) => writeFileSync(join(folder.landing, name), "");
  const waiting = landed.land(exported);
  const loaded = landed.land(walk);
  state.landings.mark("loaded", loaded.landingId);
  await archiveLandings(landed.workspace, 7);
  const plain = landed.land(walk);
  state.landings.mark("loaded", plain.landingId);
  const job = state.exportJobs.begin(service, "music", 1, new Date());
  const walkUnderWay = createLandingId();
  const { walkId } = state.walks.open(service, walk);
  state.walks.savePage(walkId, { landingId: walkUnderWay, progress: {}, pageSize: 1 });
  const kept = [
    `export-${job.landing_id}.jsonl.part`,
    `walk-${walkUnderWay}.jsonl`,
    "notes.txt",
    "notes.tmp",
  ];
  const swept = [
    ...[`export-${createLandingId()}.jsonl`, `walk-${createLandingId()}.jsonl.part`],
    ...[`${basename(loaded.path)}.gz.tmp`, basename(loaded.path)],
  ];
  for (const name of [...kept, ...swept]) write(name);
  await deleteOldLandings(landed.workspace);
  expect(readdirSync(folder.landing).sort()).toEqual(
    [...kept, ...[waiting.path, plain.path, `${loaded.path}.gz`].map((path) => basename(path))].sort(),
  );
});

itInAll("removes originals that a killed run had gzipped but not removed", async () => {
  const setup = await setUp({ days: 2, zones: 2, playScale: 0.1 });
  await syncHere(setup, { topics: ["history"] });
  const folder = join(setup.dataFolder, "landing");
  const packed = readdirSync(folder).find((name) => name.endsWith(".jsonl.gz")) ?? "";
  const plain = packed.slice(0, -".gz".length);
  writeFileSync(join(folder, plain), gunzipSync(readFileSync(join(folder, packed))));
  await syncHere(setup, { topics: ["history"] });
  expect(existsSync(join(folder, plain))).toBe(false);
  expect(existsSync(join(folder, packed))).toBe(true);
});

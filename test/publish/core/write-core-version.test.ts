import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { buildMart } from "../../../src/build/build-mart.ts";
import { countDirtyDates } from "../../../src/build/dirty-days.ts";
import {
  type CoreManifest,
  continueLineage,
  getVersionId,
  listChangedSince,
} from "../../../src/mart/core-manifest.ts";
import { buildOptions } from "../../build/build-options.ts";
import { itInAll } from "../../support/long-suite.ts";
import { openNewWarehouse, openWarehouseOf, prepareCopies } from "../../support/new-warehouse.ts";
import { song } from "../published-warehouse.ts";
import { PublishedCore } from "./published-core.ts";

const filled = prepareCopies(async (warehouse) => {
  const core = new PublishedCore(warehouse);
  await core.addPlays(["2026-08-05", "2026-09-05", "2026-10-05"].map((date) => song(`${date} 10:00:00`)));
  await core.fill("load", { load_id: 1, landing_id: "a", source: "export", kind: "music" });
});

const open = async () => new PublishedCore(await filled());

/** Changed days as `topic kind date`. */
function daysOf(manifest: CoreManifest, since: CoreManifest): string[] | undefined {
  const days = listChangedSince(manifest, getVersionId(since));
  return days?.map(({ topic, kind, date }) => `${topic} ${kind} ${date}`).sort();
}

function writtenMonths({ tables }: CoreManifest, before: CoreManifest): string[] {
  const known = new Set(before.tables.play?.files.map(({ sha256 }) => sha256));
  const files = tables.play?.files.filter(({ sha256 }) => !known.has(sha256)) ?? [];
  return files.map(({ path }) => /month=(\S+)\//.exec(path)?.[1] ?? path);
}

it("writes all tables first, then only changed months, and lists the changed days since each version", async () => {
  const core = await open();
  const first = await core.publishSame();
  expect(first.linkedFiles).toBe(0);
  await core.addPlays([song("2026-09-06 10:00:00")]);
  await core.fill("dirty_campaign_day", { kind: "signage", date: "2026-09-07" });
  const second = await core.publishSame();
  expect(writtenMonths(second.manifest, first.manifest)).toEqual(["2026-09"]);
  // The play moves to another day, month and file.
  await core.warehouse.run("update core.play set date = date '2026-11-01' where date = date '2026-10-05'");
  await core.mark("music 2026-10-05", "music 2026-11-01");
  await core.fill("dirty_device_day", { kind: "", date: "2026-10-05" });
  const third = await core.publishSame();
  expect(writtenMonths(third.manifest, second.manifest)).toEqual(["2026-11"]);
  expect(third.manifest.tables.play?.files).toHaveLength(3);
  const october = ["devices  2026-10-05", "plays music 2026-10-05", "plays music 2026-11-01"];
  const september = ["campaigns signage 2026-09-07", "plays music 2026-09-06"];
  expect(daysOf(third.manifest, third.manifest)).toEqual([]);
  expect(daysOf(third.manifest, second.manifest)).toEqual(october);
  expect(daysOf(third.manifest, first.manifest)).toEqual([...september, ...october].sort());
});

it("lists changes since the last 30 versions", () => {
  let manifest: CoreManifest | undefined;
  const versions = Array.from({ length: 31 }, (_, index) => {
    const next = { version: `v${index}`, id: `id ${index}` };
    const day = { topic: "plays", kind: "music", date: `2026-10-${index + 1}` } as const;
    manifest = { ...plainManifest, ...next, ...continueLineage(next, manifest, [day]) };
    return manifest;
  });
  const [first, second] = versions;
  const last = versions.at(-1);
  if (!(first && second && last)) throw new Error("no versions");
  expect(daysOf(last, first)).toBeUndefined();
  expect(daysOf(last, second)).toHaveLength(29);
});

const plainManifest = {
  ...{ built_at: "", data_as_of: null, software_version: "", software_commit: null },
  tables: {},
};

itInAll("neither a build nor a publish misses days that the other took", async () => {
  const core = await open();
  const first = await core.publish();
  expect(await countDirtyDates(core.warehouse)).toBe(3);
  const options = { ...buildOptions, version: "v000001" };
  expect((await buildMart(core.warehouse, options)).dirtyDays).toBe(3);
  expect(await countDirtyDates(core.warehouse)).toBe(0);
  await core.addPlays([song("2026-09-06 10:00:00")]);
  expect((await buildMart(core.warehouse, options)).dirtyDays).toBe(1);
  const second = await core.publishSame();
  expect(daysOf(second.manifest, first.manifest)).toEqual(["plays music 2026-09-06"]);
  expect((await buildMart(core.warehouse, options)).dirtyDays).toBe(0);
  expect(daysOf((await core.publish()).manifest, second.manifest)).toEqual([]);
});

itInAll("a publish that fails before the version is complete loses no day", async () => {
  const core = await open();
  const first = await core.publish();
  await core.addPlays([song("2026-09-06 10:00:00")]);
  const stop = () => {
    throw new Error("stopped");
  };
  await expect(core.publish({ beforeReveal: stop })).rejects.toThrow("stopped");
  const second = await core.publishSame();
  expect(daysOf(second.manifest, first.manifest)).toEqual(["plays music 2026-09-06"]);
});

it("after a publish killed before it was recorded, or with an older warehouse, nothing is stale", async () => {
  const core = await open();
  const first = await core.publish();
  await core.addPlays([song("2026-09-06 10:00:00")]);
  await core.warehouse.run("checkpoint");
  const older = await copyOf(core);
  const second = await core.publish();
  // As restored from a backup: it lacks the next play, too.
  await core.addPlays([song("2026-10-06 10:00:00")]);
  const third = await core.publish();
  await older.addPlays([song("2026-08-06 10:00:00")]);
  const fourth = await older.publishSame();
  expect(writtenMonths(fourth.manifest, third.manifest)).toEqual(["2026-08", "2026-10"]);
  const changed = ["plays music 2026-08-06", "plays music 2026-09-06", "plays music 2026-10-06"];
  // The older warehouse lacks what the others have.
  expect(third.earlierIds).toEqual([first, second].map(({ manifest }) => getVersionId(manifest)));
  expect(fourth.earlierIds).toEqual([getVersionId(first.manifest)]);
  for (const { manifest } of [first, second, third])
    expect(daysOf(fourth.manifest, manifest)).toEqual(changed);
});

itInAll("another warehouse, and one whose versions were removed, write everything", async () => {
  const core = await open();
  const first = await core.publish();
  const other = new PublishedCore(await openNewWarehouse(), core.coreFolder);
  const second = await other.publishSame();
  expect(second.manifest.version).toBe("v000002");
  expect(second.earlierIds).toEqual([]);
  expect(daysOf(second.manifest, first.manifest)).toBeUndefined();
  rmSync(core.coreFolder, { recursive: true });
  const third = await other.publishSame();
  expect(daysOf(third.manifest, second.manifest)).toBeUndefined();
  expect(third.earlierIds).toEqual([getVersionId(second.manifest)]);
});

it("a damaged file is written again", async () => {
  const core = await open();
  const { folder, manifest } = await core.publish();
  const [file] = manifest.tables.play?.files ?? [];
  rmSync(join(folder, file?.path ?? ""));
  const second = await core.publishSame();
  expect(second.manifest.tables.play?.files).toEqual(manifest.tables.play?.files);
});

/** The same warehouse and versions, as of now. */
async function copyOf({ warehouse, coreFolder }: PublishedCore): Promise<PublishedCore> {
  const { path } = await warehouse.get<{ path: string }>(
    "select path from duckdb_databases() where database_name = current_database()",
  );
  return new PublishedCore(await openWarehouseOf(readFileSync(path)), coreFolder);
}

import { createHash } from "node:crypto";
import { readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { buildMart } from "../../src/build/build-mart.ts";
import type { Manifest } from "../../src/mart/manifest.ts";
import { publishVersion } from "../../src/publish/publish-version.ts";
import { hasPublished } from "../../src/publish/versions/previous-version.ts";
import { openStorage } from "../../src/storage/open-storage.ts";
import { isS3Url } from "../../src/storage/s3-url.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { silentLogger as logger } from "../../src/util/logger.ts";
import { buildOptions } from "../build/build-options.ts";
import { interrupted } from "../storage/interrupted-storage.ts";
import { itEachSampled, itInAll, share } from "../support/long-suite.ts";
import { PublishedWarehouse, song } from "./published-warehouse.ts";

interface PublishCase {
  /** Returns a folder or URL without objects. */
  createTarget: () => string;
  /** Starts an upload that is never completed. */
  abandonUpload: (target: string, key: string) => Promise<void>;
  /** Backdates an object, or all unfinished uploads. */
  age: Age;
}

type Age = (target: string, key: string | "uploads", hours: number) => void;

interface PublishFlags {
  to?: Storage;
  from?: PublishedWarehouse;
  acceptLoss?: boolean;
}

/** Tests of publishing into a folder or store. */
export function testPublishing({ createTarget, abandonUpload, age }: PublishCase): void {
  const open = PublishedWarehouse.prepareCopies(async (empty) => {
    await empty.addPlays([song("2026-10-05 10:00:00"), song("2026-09-05 10:00:00")]);
    await empty.buildAndPublish();
  });

  let published: PublishedWarehouse;
  let target: string;
  let storage: Storage;
  beforeEach(async () => {
    published = await open();
    target = createTarget();
    storage = await openStorage(target);
  });

  const publish = ({ to = storage, from = published, acceptLoss = false }: PublishFlags = {}) =>
    publishVersion({
      from: from.last.folder,
      to,
      continues: (shown) => hasPublished(from.warehouse, shown),
      acceptLoss,
      logger,
    });

  const buildNext = async (playedAt: string, warehouse = published) => {
    await warehouse.addPlays([song(playedAt)]);
    await warehouse.buildAndPublish();
  };
  const publishNext = async (playedAt: string) => {
    await buildNext(playedAt);
    return await publish();
  };

  /** Opens another warehouse, whose next version is built at another instant. */
  const openOther = async (laterMs: number) => {
    const other = await open();
    await other.addPlays([song("2026-10-07 10:00:00")]);
    const builtAt = new Date(buildOptions.builtAt.getTime() + laterMs);
    await buildMart(other.warehouse, { ...buildOptions, version: "v000002", builtAt });
    await other.publish("v000002");
    return other;
  };

  const expectShown = async () => {
    const { manifest } = published.last;
    expect(await readShown(storage)).toEqual({ version: manifest.version, rows: rowsOf(manifest) });
  };

  it("shows the version completely", async () => {
    const { folder } = await publish();
    await expectShown();
    for (const name of ["dictionary.json", "dictionary.html", "manifest.json"])
      expect((await storage.find(`${folder}/${name}`))?.content).toEqual(
        readFileSync(join(published.last.folder, name)),
      );
  });

  it("transfers only new content, and does nothing for the same version", async () => {
    const first = await publish();
    const objects = await listAll(storage);
    expect(await publish()).toEqual({ ...first, uploadedFiles: 0, uploadedBytes: 0 });
    expect(await listAll(storage)).toEqual(objects);
    const transferred: string[] = [];
    const watched = interrupted(storage, (method, key) => {
      if (method === "putFile") transferred.push(String(key));
    });
    await buildNext("2026-10-06 10:00:00");
    const next = await publish({ to: watched });
    await expectShown();
    expect(next.uploadedFiles).toBeLessThan(first.uploadedFiles / 2);
    expect(transferred).toContain(`${next.folder}/fact_play/month=2026-10/data.parquet`);
    expect(transferred).not.toContain(`${next.folder}/fact_play/month=2026-09/data.parquet`);
  });

  it("does not replace a version that another publish has shown meanwhile, and names it", async () => {
    const other = await open();
    await buildNext("2026-10-07 10:00:00", other);
    const versions = ["v000002", "v000003"];
    for (const version of share(versions.slice(0, 1), versions, versions)) {
      let overtaking: Promise<unknown> | undefined;
      const slow = interrupted(storage, async (method, key) => {
        if (method !== "put" || !String(key).endsWith("/manifest.json")) return;
        overtaking ??= publish({ from: other, acceptLoss: true });
        await overtaking;
      });
      const overtaken = publish({ to: slow, acceptLoss: true });
      await expect(overtaken).rejects.toThrow(
        expect.objectContaining({ code: "PUBLISH_OVERTAKEN", category: "busy" }),
      );
      await expect(overtaken).rejects.toThrow(
        new RegExp(` published ${version}(-[0-9a-f]{8})? there at 20\\d\\d-.* To replace it, run this again`),
      );
      expect((await readShown(storage)).version).toBe(version);
      await buildNext("2026-10-08 10:00:00", other);
    }
    await publish({ acceptLoss: true });
    await expectShown();
  });

  itInAll("several publishers at once damage neither each other nor what readers see", async () => {
    const publishers = [published, await openOther(1), await openOther(2)];
    for (let round = 0; round < share(1, 4, 20); round += 1) {
      const ended = await Promise.allSettled(
        publishers.map(async (from) => publish({ to: await openStorage(target), from, acceptLoss: true })),
      );
      for (const one of ended)
        if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "PUBLISH_OVERTAKEN" });
      expect(ended.some(({ status }) => status === "fulfilled")).toBe(true);
      await readShown(storage);
    }
  });

  it("a reader sees one whole version or the other while versions are published", async () => {
    await publish();
    const seen: string[] = [];
    let isOver = false;
    const reading = (async () => {
      while (!isOver) seen.push((await readShown(storage)).version);
      seen.push((await readShown(storage)).version);
    })();
    for (let day = 10; day < 10 + share(1, 6, 20); day += 1) await publishNext(`2026-10-${day} 10:00:00`);
    isOver = true;
    await reading;
    expect(seen).toEqual(seen.toSorted());
    expect(seen.length).toBeGreaterThan(2);
    expect(seen.at(-1)).toBe(published.last.version);
  });

  it("after a kill or failure at any step, readers see a whole version, and the next publish is complete", async () => {
    await publish();
    await buildNext("2026-10-06 10:00:00");
    const shown = async () => (await readShown(storage)).version;
    let kills = 0;
    const stride = share(8, 1, 1);
    for (; (await shown()) === "v000001"; kills += 1) {
      let steps = 0;
      const killed = interrupted(storage, (method) => {
        if (method.startsWith("find")) return;
        steps += 1;
        if (steps > kills * stride) throw new Error("killed");
      });
      const error: unknown = await publish({ to: killed }).catch((thrown) => thrown);
      if (!(error instanceof Error)) break;
      expect(error.message).toBe("killed");
    }
    expect(kills).toBeGreaterThan(3);
    await publish();
    await expectShown();
  });

  it("completes what a publish missed that was killed after readers saw the version", async () => {
    await publish();
    const catalog = isS3Url(target) ? "venue.ducklake" : "catalog.duckdb";
    await storage.delete([catalog]);
    await publish();
    expect(await storage.findInfo(catalog)).toBeDefined();
  });

  itEachSampled(
    [
      ["lost a file", (key) => storage.delete([key])],
      ["has a damaged file", (key) => storage.put(key, "damaged")],
      ["lost its dictionary", (key) => storage.delete([key.replace(/[^/]+$/, "dictionary.html")])],
    ] as readonly [string, (key: string) => Promise<unknown>][],
    1,
  )("repairs a version that %s, without touching it", async ([_damage, damage]) => {
    const { folder } = await publish();
    await damage(`${folder}/dim_kind.parquet`);
    const readersFiles = async () =>
      Object.entries(await listAll(storage)).filter(([key]) => key.startsWith(`${folder}/`));
    const before = await readersFiles();
    const repaired = await publish();
    expect(repaired.folder).not.toBe(folder);
    await expectShown();
    expect(await readersFiles()).toEqual(before);
  });

  it("names a damaged manifest and pointer, and replaces them if loss is accepted", async () => {
    const { folder } = await publish();
    await storage.put(`${folder}/manifest.json`, "{");
    const damaged = expect.objectContaining({ code: "PUBLISH_TARGET_DAMAGED", category: "damage" });
    await expect(publish()).rejects.toThrow(damaged);
    const { folder: repaired } = await publish({ acceptLoss: true });
    await expectShown();
    if (isS3Url(target)) await storage.put("current.json", '{"format":2}');
    else rmSync(join(target, repaired), { recursive: true });
    await expect(publish()).rejects.toThrow(damaged);
    await publish({ acceptLoss: true });
    await expectShown();
  });

  itEachSampled(
    [
      ["a damaged file", (version) => writeFileSync(join(version, "dim_kind.parquet"), "damaged")],
      ["a version that lost a file", (version) => rmSync(join(version, "dim_kind.parquet"))],
    ] as readonly [string, (version: string) => void][],
    1,
  )("refuses to publish %s", async ([_damage, damage]) => {
    damage(published.last.folder);
    await expect(publish()).rejects.toThrow(expect.objectContaining({ code: "PUBLISHED_FILES_DAMAGED" }));
    expect(await findShownFolder(storage)).toBeUndefined();
  });

  it("replaces no newer version and none of another warehouse, unless loss is accepted", async () => {
    const refused = expect.objectContaining({ code: "PUBLISH_TARGET_FOREIGN", category: "damage" });
    const [newer, older] = [await openOther(1), await openOther(-1)];
    await publish({ from: newer });
    await expect(publish()).rejects.toThrow(refused);
    await expect(publish()).rejects.toThrow(/v000002, built .*, which is newer than v000001/);
    await publish({ from: older, acceptLoss: true });
    await expect(publish()).rejects.toThrow(/which was not published from the warehouse of v000001/);
    expect((await readShown(storage)).version).toBe("v000002");
    await publish({ acceptLoss: true });
    await expectShown();
  });

  it("removes replaced versions, and leaves foreign objects", async () => {
    const foreign = ["files/fact_play/own.parquet", "notes.txt", "v1/own.txt"];
    for (const key of foreign) await storage.put(key, "mine");
    await publish();
    for (const day of ["06", "07"]) await publishNext(`2026-10-${day} 10:00:00`);
    await ageVersions(storage, age);
    await publishNext("2026-10-08 10:00:00");
    expect(await listVersions(storage)).toEqual(["v000002", "v000003", "v000004"]);
    await expectShown();
    expect(Object.keys(await listAll(storage))).toEqual(expect.arrayContaining(foreign));
  });

  it("removes what killed publishes left after a day", async () => {
    const [old, recent] = ["v000009-00000000/fact_play.parquet", "v000009-00000001/fact_play.parquet"];
    for (const key of [old, recent]) await storage.put(key, "half");
    await abandonUpload(target, "v000009-00000002/fact_play.parquet");
    age(target, old, 25);
    age(target, recent, 23);
    await publish();
    expect(Object.keys(await listAll(storage)).filter((key) => [old, recent].includes(key))).toEqual([
      recent,
    ]);
    expect(await countUploads(storage)).toBe(1);
    age(target, "uploads", 25);
    await publishNext("2026-10-06 10:00:00");
    expect(await countUploads(storage)).toBe(0);
  });
}

/** Reads the files of the version that readers see, as other tools do, and checks their content. */
export async function readShown(
  storage: Storage,
): Promise<{ version: string; rows: Record<string, number> }> {
  const folder = await findShownFolder(storage);
  const read = async (path: string) => {
    const found = await storage.find(`${folder}/${path}`);
    if (!found) throw new Error(`${folder}/${path} is missing`);
    return found.content;
  };
  const manifest: Manifest = JSON.parse((await read("manifest.json")).toString());
  const paths: string[] = [];
  for (const { path, sha256 } of Object.values(manifest.tables).flatMap(({ files }) => files)) {
    expect([
      path,
      createHash("sha256")
        .update(await read(path))
        .digest("hex"),
    ]).toEqual([path, sha256]);
    paths.push(`${folder}/${path}`);
  }
  // Readers use patterns, so there must be no other files.
  const there = Object.keys(await listAll(storage)).filter((key) => key.startsWith(`${folder}/`));
  expect(there.filter((key) => key.endsWith(".parquet")).sort()).toEqual(paths.sort());
  return { version: manifest.version, rows: rowsOf(manifest) };
}

async function findShownFolder(storage: Storage): Promise<string | undefined> {
  if (!isS3Url(storage.location)) {
    try {
      return readlinkSync(join(storage.location, "current"));
    } catch {
      return undefined;
    }
  }
  const found = await storage.find("current.json");
  return found && JSON.parse(found.content.toString()).folder;
}

function rowsOf({ tables }: Manifest): Record<string, number> {
  return Object.fromEntries(Object.entries(tables).map(([table, { rows }]) => [table, rows]));
}

/** Returns the time of each object. */
async function listAll(storage: Storage): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for await (const { key, modifiedAt } of storage.list("")) found[key] = modifiedAt.getTime();
  return found;
}

async function listVersions(storage: Storage): Promise<string[]> {
  const keys = Object.keys(await listAll(storage));
  return [...new Set(keys.flatMap((key) => /^(v\d{6})-/.exec(key)?.[1] ?? []))];
}

/** Backdates all versions, each an hour after the one before it. */
export async function ageVersions(storage: Storage, age: Age): Promise<void> {
  const keys = Object.keys(await listAll(storage));
  for (const [index, version] of (await listVersions(storage)).entries())
    for (const key of keys.filter((one) => one.startsWith(`${version}-`)))
      age(storage.location, key, 100 - index);
}

async function countUploads(storage: Storage): Promise<number> {
  let count = 0;
  for await (const _upload of storage.listUploads()) count += 1;
  return count;
}

import { createHash, randomUUID } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import type { Manifest } from "../../../src/mart/manifest.ts";
import { publishToStore } from "../../../src/publish/store/publish-to-store.ts";
import { openStorage } from "../../../src/storage/open-storage.ts";
import type { Storage } from "../../../src/storage/storage.ts";
import { silentLogger as logger } from "../../../src/util/logger.ts";
import { interrupted } from "../../storage/interrupted-storage.ts";
import { share } from "../../support/long-suite.ts";
import { PublishedWarehouse, song } from "../published-warehouse.ts";

interface PublishCase {
  /** Returns a folder or URL without objects. */
  createTarget: () => string;
  /** Starts an upload that is never completed. */
  abandonUpload: (target: string, key: string) => Promise<void>;
  /** Backdates an object, or all unfinished uploads. */
  age?: (target: string, key: string | "uploads", hours: number) => void;
}

/** Tests of publishing, for any kind of storage. */
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

  const publish = (
    options: { storage?: Storage; from?: PublishedWarehouse; beforeReveal?: () => void } = {},
  ) => {
    const { from = published, ...others } = options;
    return publishToStore({ publishedFolder: from.folder, storage, logger, ...others });
  };

  const publishNext = async (playedAt: string) => {
    await published.addPlays([song(playedAt)]);
    await published.buildAndPublish();
    return await publish();
  };

  it("shows the published version completely", async () => {
    const manifest = await publish();
    const shown = await readShown(storage);
    expect(shown).toEqual({ version: "v000001", rows: rowsOf(manifest) });
    const { folder } = published.last;
    for (const name of ["dictionary.json", "dictionary.html"])
      expect((await storage.find(name))?.content.equals(readFileSync(join(folder, name)))).toBe(true);
    const catalog = (await storage.find("catalog.sql"))?.content.toString() ?? "";
    expect(catalog).toContain("-- Tables of v000001, built 2026-");
    for (const [table, { files }] of Object.entries(manifest.tables)) {
      const [, urls = ""] = catalog.split(`create or replace view ${table} as\n`);
      expect([table, urls.split(");")[0]?.match(/\.parquet'/g)?.length]).toEqual([table, files.length]);
    }
  });

  it("uploads only new content, and nothing for the same version", async () => {
    await publish();
    const first = await listAll(storage);
    await publish();
    expect(await listAll(storage)).toEqual(first);
    const { tables } = await publishNext("2026-10-06 10:00:00");
    expect((await readShown(storage)).version).toBe("v000002");
    const added = [...(await listAll(storage)).keys()].filter((key) => !first.has(key));
    const september = tables.fact_play?.files.find(({ path }) => path.includes("2026-09"));
    expect(added.some((key) => key.startsWith("files/fact_play/"))).toBe(true);
    expect(added.filter((key) => key.includes(september?.sha256 ?? ""))).toEqual([]);
    expect(added.length).toBeLessThan(first.size / 2);
  });

  it("does not overwrite a version that another publish has made visible, and names it", async () => {
    const other = await open();
    await other.addPlays([song("2026-10-07 10:00:00")]);
    await other.buildAndPublish();
    for (const version of ["v000002", "v000003"]) {
      let overtaking: Promise<unknown> | undefined;
      const slow = interrupted(storage, async (method, key) => {
        if (method !== "put" || key !== "current.json") return;
        overtaking ??= publish({ from: other });
        await overtaking;
      });
      const overtaken = publish({ storage: slow });
      await expect(overtaken).rejects.toThrow(
        expect.objectContaining({ code: "PUBLISH_OVERTAKEN", category: "busy" }),
      );
      await expect(overtaken).rejects.toThrow(
        new RegExp(` published ${version} there at 20\\d\\d-.* To replace it, run this again`),
      );
      expect((await readShown(storage)).version).toBe(version);
      await other.addPlays([song("2026-10-08 10:00:00")]);
      await other.buildAndPublish();
    }
    await publish();
    expect((await readShown(storage)).version).toBe("v000001");
  });

  it("a reader sees one whole version or the other while versions are published", async () => {
    await publish();
    const seen: string[] = [];
    let isOver = false;
    const reading = (async () => {
      while (!isOver) seen.push((await readShown(storage)).version);
      seen.push((await readShown(storage)).version);
    })();
    for (let day = 10; day < 10 + share(3, 6, 20); day += 1) await publishNext(`2026-10-${day} 10:00:00`);
    isOver = true;
    await reading;
    expect(seen).toEqual(seen.toSorted());
    expect(seen.length).toBeGreaterThan(2);
    expect(seen.at(-1)).toBe(published.last.version);
  });

  it("after a kill at any step, readers see a whole version, and the next publish is complete", async () => {
    await publish();
    await published.addPlays([song("2026-10-06 10:00:00")]);
    await published.buildAndPublish();
    // Before and after readers see the version, each repeated publish gets one step further.
    for (const [version, next] of [
      ["v000001", "v000002"],
      ["v000002", undefined],
    ]) {
      let kills = 0;
      for (; (await readPointer(storage)).version === version; kills += 1) {
        let steps = 0;
        const killed = interrupted(storage, (method) => {
          if (method.startsWith("find")) return;
          steps += 1;
          if (steps > kills) throw new Error("killed");
        });
        const error: unknown = await publish({ storage: killed }).catch((thrown) => thrown);
        expect(["v000001", (await readPointer(storage)).version]).toContain(
          (await readShown(storage)).version,
        );
        if (!(error instanceof Error)) break;
        expect(error.message).toBe("killed");
      }
      expect((await readPointer(storage)).version).toBe(next ?? version);
      expect(kills).toBeGreaterThan(3);
    }
    await publish();
    expect(await readShown(storage)).toEqual({ version: "v000002", rows: rowsOf(published.last.manifest) });
  });

  it("repairs a copy that lost a file", async () => {
    await publish();
    const lost = [...(await listAll(storage)).keys()].find((key) => key.startsWith("files/dim_kind/"));
    await storage.delete([lost ?? ""]);
    await publish();
    expect(await readShown(storage)).toEqual({ version: "v000001", rows: rowsOf(published.last.manifest) });
  });

  it.each<[string, (version: string) => void]>([
    ["a damaged file", (version) => writeFileSync(join(version, "dim_kind.parquet"), "damaged")],
    ["a version that lost a file", (version) => rmSync(join(version, "dim_kind.parquet"))],
    ["a version that lost its dictionary", (version) => rmSync(join(version, "dictionary.json"))],
  ])("refuses to publish %s", async (_damage, damage) => {
    damage(published.last.folder);
    await expect(publish()).rejects.toThrow(expect.objectContaining({ code: "PUBLISHED_FILES_DAMAGED" }));
    expect(await storage.find("current.json")).toBeUndefined();
  });

  it("refuses a place whose current.json is from another program", async () => {
    await storage.put("current.json", '{"format":2}');
    await expect(publish()).rejects.toThrow(expect.objectContaining({ code: "PUBLISH_TARGET_UNKNOWN" }));
  });

  it("sweeps files of replaced versions, and leaves foreign objects", async () => {
    const foreign = ["files/fact_play/own.parquet", "notes.txt"];
    for (const key of foreign) await storage.put(key, "mine");
    await publish();
    for (const day of ["06", "07", "08"]) await publishNext(`2026-10-${day} 10:00:00`);
    // It was replaced less than ten minutes ago.
    expect(await listVersions(storage)).toEqual(["v000001", "v000002", "v000003", "v000004"]);
    const pointer = JSON.parse((await storage.find("current.json"))?.content.toString() ?? "");
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
    for (const one of pointer.replaced.slice(1)) one.replaced_at = anHourAgo;
    await storage.put("current.json", JSON.stringify(pointer));
    const before = await listAll(storage);
    await publishNext("2026-10-09 10:00:00");
    expect(await listVersions(storage)).toEqual(["v000003", "v000004", "v000005"]);
    const after = await listAll(storage);
    expect([...before.keys()].some((key) => key.startsWith("files/") && !after.has(key))).toBe(true);
    expect(await readShown(storage)).toMatchObject({ version: "v000005" });
    expect([...after.keys()]).toEqual(expect.arrayContaining(foreign));
  });

  it.runIf(age)("sweeps killed uploads after a day", async () => {
    const probe = `probe-${randomUUID()}`;
    const files = ["a", "b"].map((digit) => `files/fact_play/${digit.repeat(64)}-00000000.parquet`);
    const [old = "", recent = ""] = files;
    const unnamed = [...files, probe];
    for (const key of unnamed) await storage.put(key, "half");
    await abandonUpload(target, `files/fact_play/${"c".repeat(64)}-00000000.parquet`);
    age?.(target, old, 25);
    age?.(target, probe, 25);
    age?.(target, recent, 23);
    await publish();
    expect([...(await listAll(storage)).keys()].filter((key) => unnamed.includes(key))).toEqual([recent]);
    expect(await countUploads(storage)).toBe(1);
    age?.(target, "uploads", 25);
    await publishNext("2026-10-06 10:00:00");
    expect(await countUploads(storage)).toBe(0);
  });
}

type Rows = Record<string, number>;

/** Reads the files that `files.json` names, as other tools do, and checks their content. */
export async function readShown(storage: Storage): Promise<{ version: string; rows: Rows }> {
  const read = async (address: string) => {
    const found = await storage.find(address.slice(storage.location.length + 1));
    if (!found) throw new Error(`${address} is missing`);
    return found.content;
  };
  const files = JSON.parse((await read(storage.addressOf("files.json"))).toString());
  const manifest: Manifest = JSON.parse((await read(files.manifest)).toString());
  expect(manifest.version).toBe(files.version);
  for (const [table, addresses] of Object.entries<string[]>(files.tables)) {
    const contents = await Promise.all(addresses.map(read));
    expect(contents.map((content) => createHash("sha256").update(content).digest("hex"))).toEqual(
      manifest.tables[table]?.files.map(({ sha256 }) => sha256),
    );
  }
  return { version: files.version, rows: rowsOf(manifest) };
}

async function readPointer(storage: Storage): Promise<{ version: string }> {
  return JSON.parse((await storage.find("current.json"))?.content.toString() ?? "");
}

function rowsOf({ tables }: Manifest): Rows {
  return Object.fromEntries(Object.entries(tables).map(([table, { rows }]) => [table, rows]));
}

async function listAll(storage: Storage): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for await (const { key, modifiedAt } of storage.list("")) found.set(key, modifiedAt.getTime());
  return found;
}

async function listVersions(storage: Storage): Promise<string[]> {
  const keys = [...(await listAll(storage)).keys()];
  return [...new Set(keys.flatMap((key) => /^versions\/(v\d+)-/.exec(key)?.[1] ?? []))];
}

async function countUploads(storage: Storage): Promise<number> {
  let count = 0;
  for await (const _upload of storage.listUploads()) count += 1;
  return count;
}

import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, it } from "vitest";
import { assertConditional } from "../../src/storage/assert-conditional.ts";
import { openStorage } from "../../src/storage/open-storage.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { createTempFolder } from "../support/temp-folder.ts";

interface StorageCase {
  /** Returns a folder or URL without objects. */
  createTarget: () => string;
  /** Starts an upload that is never completed. */
  abandonUpload: (target: string, key: string) => Promise<void>;
  /** False if the store gives uploads a wrong date. @default true */
  hasClock?: boolean;
}

const conflict = expect.objectContaining({ code: "STORAGE_CONFLICT", category: "busy" });

/** Tests that every implementation of `Storage` must pass. */
export function testStorage({ createTarget, abandonUpload, hasClock = true }: StorageCase): void {
  let target: string;
  let storage: Storage;
  beforeEach(async () => {
    target = createTarget();
    storage = await openStorage(target);
  });

  const listAll = async (prefix = "") => {
    const keys: string[] = [];
    for await (const { key } of storage.list(prefix)) keys.push(key);
    return keys;
  };

  it("writes, replaces, reads, lists and deletes objects", async () => {
    expect(await listAll()).toEqual([]);
    expect(await storage.find("a/one")).toBeUndefined();
    expect(await storage.findInfo("a/one")).toBeUndefined();
    expect(await storage.findRange("a/one", { start: 0, bytes: 1 })).toBeUndefined();
    const version = await storage.put("a/one", "hello");
    await storage.put("a-b", "");
    await storage.put("b/c=d/two.parquet", new Uint8Array([0, 255, 10]));
    expect(await storage.find("a/one")).toMatchObject({ content: Buffer.from("hello"), version });
    expect(await storage.put("a/one", "hallo")).not.toBe(version);
    expect((await storage.find("a/one"))?.content.toString()).toBe("hallo");
    expect((await storage.findRange("a/one", { start: 1, bytes: 2 }))?.toString()).toBe("al");
    expect((await storage.findRange("a/one", { start: 3, bytes: 20 }))?.toString()).toBe("lo");
    expect(await storage.findInfo("a/one")).toMatchObject({ key: "a/one", bytes: 5 });
    expect((await storage.find("a-b"))?.content.length).toBe(0);
    expect(await listAll()).toEqual(["a-b", "a/one", "b/c=d/two.parquet"]);
    expect(await listAll("a/")).toEqual(["a/one"]);
    expect(await listAll("b/c=d/t")).toEqual(["b/c=d/two.parquet"]);
    await storage.delete(["a/one", "missing", "b/c=d/two.parquet"]);
    expect(await listAll()).toEqual(["a-b"]);
  });

  it("refuses a write whose condition does not hold", async () => {
    await expect(storage.put("current", "1", { ifMatch: '"0"' })).rejects.toThrow(conflict);
    const first = await storage.put("current", "1", { ifNoneMatch: "*" });
    await expect(storage.put("current", "2", { ifNoneMatch: "*" })).rejects.toThrow(conflict);
    const second = await storage.put("current", "2", { ifMatch: first });
    await expect(storage.put("current", "3", { ifMatch: first })).rejects.toThrow(conflict);
    expect(await storage.find("current")).toMatchObject({ content: Buffer.from("2"), version: second });
    // The write is repeated, as after a lost response.
    expect(await storage.put("current", "2", { ifMatch: first })).toBe(second);
    expect(await storage.put("current", "2", { ifNoneMatch: "*" })).toBe(second);
    await assertConditional(storage);
    expect(await listAll()).toEqual(["current"]);
  });

  it("processes that write the same object lose no changes", async () => {
    const [processes, rounds] = [3, 20];
    const script = fileURLToPath(new URL("increment.child.mjs", import.meta.url));
    const running = Array.from({ length: processes }, () =>
      spawn(process.execPath, [script, target, `${rounds}`], { stdio: ["ignore", "inherit", "inherit"] }),
    );
    const ended = await Promise.all(running.map((child) => once(child, "close")));
    expect(ended.map(([code]) => code)).toEqual([0, 0, 0]);
    const lines = (await storage.find("counter"))?.content.toString().trimEnd().split("\n") ?? [];
    expect(lines.map((line) => Number.parseInt(line, 10))).toEqual(
      Array.from({ length: processes * rounds }, (_, index) => index + 1),
    );
    expect(await listAll()).toEqual(["counter"]);
  });

  it("writes a file of several parts, and nothing if the file has changed", async () => {
    const [file, content] = [join(createTempFolder(), "big"), randomBytes(40_000_001)];
    writeFileSync(file, content);
    const sha256 = createHash("sha256").update(content).digest("hex");
    await storage.putFile("files/big", file, sha256);
    expect(await storage.findInfo("files/big")).toMatchObject({ bytes: content.length });
    for (const [start, bytes] of [
      [0, 20_000_000],
      [20_000_000, 20_000_001],
    ] as const) {
      const found = await storage.findRange("files/big", { start, bytes });
      expect(found?.equals(content.subarray(start, start + bytes))).toBe(true);
    }
    expect(await storage.copy("files/big", "files/copy", { bytes: content.length, sha256 })).toBe(true);
    const end = { start: content.length - 10, bytes: 20 };
    expect(await storage.findRange("files/copy", end)).toEqual(content.subarray(-10));
    expect(await storage.copy("files/none", "files/copy", { bytes: 1, sha256 })).toBe(false);
    await storage.deleteFolder("files");
    expect(await listAll()).toEqual([]);
    for (const size of [content.length, 5]) {
      writeFileSync(file, content.subarray(0, size).fill(1, 0, 1));
      const changed = storage.putFile("files/changed", file, sha256);
      await expect(changed).rejects.toThrow(expect.objectContaining({ code: "FILE_CHANGED", file }));
    }
    expect(await listAll()).toEqual([]);
    expect(await listUploads()).toEqual([]);
  });

  const listUploads = async () => {
    const uploads = [];
    for await (const upload of storage.listUploads()) uploads.push(upload);
    return uploads;
  };

  it("lists and aborts uploads that were abandoned", async () => {
    await storage.put("files/whole", "1");
    await abandonUpload(target, "files/part");
    const [upload, ...others] = await listUploads();
    expect(others).toEqual([]);
    if (!upload) throw new Error("no upload was listed");
    if (hasClock) expect(Math.abs(upload.startedAt.getTime() - Date.now())).toBeLessThan(60_000);
    await storage.abortUpload(upload);
    await storage.abortUpload(upload);
    expect(await listUploads()).toEqual([]);
    expect(await listAll()).toEqual(["files/whole"]);
  });

  it("lists more objects than a page holds, and deletes them", async () => {
    const keys = Array.from({ length: 1_005 }, (_, index) => `many/${String(index).padStart(5, "0")}`);
    for (let start = 0; start < keys.length; start += 15)
      await Promise.all(keys.slice(start, start + 15).map((key) => storage.put(key, key)));
    expect(await listAll("many/")).toEqual(keys);
    await storage.delete(keys);
    expect(await listAll()).toEqual([]);
  });

  it("detects a store that ignores conditions", async () => {
    const ignoring: Storage = Object.create(storage, {
      put: { value: (key: string, content: string) => storage.put(key, content) },
    });
    Object.defineProperty(ignoring, "location", { value: storage.location });
    Object.defineProperty(ignoring, "delete", { value: (keys: string[]) => storage.delete(keys) });
    await expect(assertConditional(ignoring)).rejects.toThrow(
      expect.objectContaining({ code: "STORAGE_CONDITIONS_IGNORED" }),
    );
    expect(await listAll()).toEqual([]);
  });
}

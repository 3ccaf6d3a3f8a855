import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { LandingUnreadableError } from "../../../src/load/errors.ts";
import { type ReadOptions, readChunks } from "../../../src/load/lines/line-cursor.ts";
import { openFilesBelow } from "../../support/open-files.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

const text = "0123456789";

function landed(name: string, content: string | Buffer = text): string {
  const path = join(createTempFolder(), name);
  writeFileSync(path, content);
  return path;
}

async function chunksOf(path: string, options?: ReadOptions): Promise<string[]> {
  const chunks: string[] = [];
  for await (const chunk of readChunks(path, options)) chunks.push(chunk.toString());
  return chunks;
}

describe("a landing is read", () => {
  it.each<[string, ReadOptions, string[]]>([
    ["whole", {}, [text]],
    ["in chunks", { chunkBytes: 4 }, ["0123", "4567", "89"]],
    ["in chunks that end with it", { chunkBytes: 5 }, ["01234", "56789"]],
    ["from an offset on", { from: 7, chunkBytes: 2 }, ["78", "9"]],
    ["between two offsets", { from: 2, to: 7, chunkBytes: 3 }, ["234", "56"]],
    ["up to an offset in its first chunk", { to: 3 }, ["012"]],
    ["up to its end, if more is requested", { from: 8, to: 20 }, ["89"]],
    ["not at all between equal offsets", { from: 4, to: 4 }, []],
    ["not at all from beyond its end", { from: 11 }, []],
  ])("%s", async (_, options, chunks) => {
    expect(await chunksOf(landed("plain.jsonl"), options)).toEqual(chunks);
  });

  it("unpacked", async () => {
    const large = text.repeat(200_000);
    const chunks = await chunksOf(landed("packed.jsonl.gz", gzipSync(large)));
    expect(chunks.join("")).toBe(large);
    expect(Math.max(...chunks.map(({ length }) => length))).toBe(512 * 1024);
  });
});

describe("a landing is unreadable", () => {
  it.each<[string, () => string]>([
    ["that is missing", () => join(createTempFolder(), "none.jsonl")],
    ["that is compressed, and missing", () => join(createTempFolder(), "none.jsonl.gz")],
    ["that is named .gz, but is not gzip", () => landed("plain.jsonl.gz")],
    ["that is truncated", () => landed("cut.jsonl.gz", gzipSync(text).subarray(0, -4))],
    ["that is a folder", () => createTempFolder()],
  ])("%s", async (_, land) => {
    const path = land();
    await expect(chunksOf(path)).rejects.toSatisfy(
      (error) => error instanceof LandingUnreadableError && error.message.includes(path),
    );
  });
});

it.each(["plain.jsonl", "packed.jsonl.gz"])(
  "%s leaves nothing open, read to its end or not",
  async (name) => {
    const content = text.repeat(1_000_000);
    const path = landed(name, name.endsWith(".gz") ? gzipSync(content, { level: 0 }) : content);
    const openFiles = () => openFilesBelow(dirname(path));
    for (let time = 0; time < 5; time += 1) await chunksOf(path);
    for (let time = 0; time < 5; time += 1) for await (const _ of readChunks(path)) break;
    // Streams close their files after they have ended.
    for (let turn = 0; openFiles().length > 0 && turn < 100; turn += 1) await setTimeout(10);
    expect(openFiles()).toEqual([]);
  },
);

import { execFile } from "node:child_process";
import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { WalkFile } from "../../../src/extract/walk/walk-file.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

async function readLines(file: WalkFile): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of file.lines()) lines.push(line);
  return lines;
}

it("returns the appended lines, however reads split them", async () => {
  const path = join(createTempFolder(), "walk.jsonl");
  // Three-byte characters: reads of 64 KiB split some of them.
  const lines = Array.from({ length: 3_000 }, (_, index) =>
    JSON.stringify({ index, name: "€".repeat(index % 97) }),
  );
  const file = await WalkFile.open(path, 0);
  expect(file && (await readLines(file))).toEqual([]);
  file?.append(lines.slice(0, 1_000));
  file?.append(lines.slice(1_000));
  expect(file && (await readLines(file))).toEqual(lines);
  // A second read: the file stays open.
  expect(file && (await readLines(file))).toEqual(lines);
  await file?.close();
  const again = await WalkFile.open(path, Buffer.byteLength(`${lines.slice(0, 10).join("\n")}\n`));
  expect(again && (await readLines(again))).toEqual(lines.slice(0, 10));
  await again?.close();
});

it.each([
  ["truncates what follows its last page", ".part", "a\nb\nc\nd\n"],
  ["moves back the finished file", "", "a\nb\nc\n"],
  ["exactly the recorded contents", ".part", "a\nb\n"],
])("resumes where it stopped: %s", async (_, suffix, content) => {
  const path = join(createTempFolder(), "walk.jsonl");
  writeFileSync(`${path}${suffix}`, content);
  const file = await WalkFile.open(path, 4);
  expect(existsSync(path)).toBe(false);
  expect(file && (await readLines(file))).toEqual(["a", "b"]);
  file?.append(["e"]);
  expect(file?.bytes).toBe(6);
  await file?.finish();
  expect([readFileSync(path, "utf8"), existsSync(`${path}.part`)]).toEqual(["a\nb\ne\n", false]);
});

it("replaces a longer existing file when finished", async () => {
  const path = join(createTempFolder(), "walk.jsonl");
  writeFileSync(`${path}.part`, "a\nb\nc\nd\n");
  await (await WalkFile.open(path, 4))?.finish();
  expect(readFileSync(path, "utf8")).toBe("a\nb\n");
});

it.each([
  ["is missing", undefined],
  ["is shorter than recorded", "a\n"],
  ["ends in NUL bytes", "a\n\0\0"],
  ["has NUL bytes before a complete line", "\0\nb\n"],
  ["ends within a line", "a\nbb\n"],
])("is not resumed if it %s", async (_, content) => {
  const path = join(createTempFolder(), "walk.jsonl");
  if (content !== undefined) writeFileSync(`${path}.part`, content);
  expect(await WalkFile.open(path, 4)).toBeUndefined();
  expect(existsSync(`${path}.part`) ? readFileSync(`${path}.part`, "utf8") : undefined).toBe(content);
});

it("fails if a disk writes only a part of the lines", async () => {
  const path = join(createTempFolder(), "walk.jsonl");
  // A file size limit of 51,200 bytes: only 212 of the second 300 lines fit.
  const { stdout } = await promisify(execFile)("sh", [
    "-c",
    'ulimit -f 100; exec "$0" "$@"',
    process.execPath,
    fileURLToPath(new URL("walk-file.child.mjs", import.meta.url)),
    path,
    "300",
    "300",
  ]);
  expect(stdout).toBe("EFBIG after 30000");
  expect(existsSync(path)).toBe(false);
  // Complete appends are kept; the rest is truncated.
  const again = await WalkFile.open(path, 30_000);
  expect(again && (await readLines(again))).toHaveLength(300);
  await again?.close();
});

it("is not finished while it has less than was appended", async () => {
  const path = join(createTempFolder(), "walk.jsonl");
  const file = await WalkFile.open(path, 0);
  file?.append(["a", "b"]);
  truncateSync(`${path}.part`, 2);
  await expect(file?.finish()).rejects.toThrow("has 2 bytes, but 4 were written");
  expect(existsSync(path)).toBe(false);
  await file?.close();
});

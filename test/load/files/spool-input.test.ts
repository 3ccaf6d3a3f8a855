import { existsSync, readdirSync, readFileSync } from "node:fs";
import { PassThrough, Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { withSpooledInput } from "../../../src/load/files/load-files.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

const never = new AbortController().signal;

const streamOf = (...chunks: readonly Buffer[]) => Readable.from(chunks, { objectMode: false });

it.each([
  ["plain text of any bytes", Buffer.from("caf\xe9\n\0\r\nlast", "latin1"), /\/stdin\.jsonl$/],
  ["gzip", gzipSync("a line\n"), /\/stdin\.jsonl\.gz$/],
  ["the first byte of a gzip header", Buffer.of(0x1f), /\/stdin\.jsonl$/],
])("%s from a pipe is kept in a file, byte for byte, until it is used", async (_label, content, name) => {
  const folder = createTempFolder();
  let kept = "";
  const halves = [content.subarray(0, 1), content.subarray(1)].filter((half) => half.length > 0);
  const result = await withSpooledInput(streamOf(...halves), { folder, signal: never }, async (path) => {
    kept = path;
    expect(path.startsWith(folder)).toBe(true);
    expect(path).toMatch(name);
    expect(readFileSync(path)).toEqual(content);
    return 7;
  });
  expect(result).toBe(7);
  expect(existsSync(kept)).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});

it("reports empty input", async () => {
  const folder = createTempFolder();
  const used = withSpooledInput(streamOf(), { folder, signal: never }, async (path) => path);
  await expect(used).rejects.toMatchObject({
    code: "EMPTY_INPUT",
    category: "usage",
    message: "stdin is empty. Nothing was loaded. Check whether the program that writes to the pipe failed.",
  });
  expect(readdirSync(folder)).toEqual([]);
});

it("stops waiting when interrupted, and leaves nothing", async () => {
  const folder = createTempFolder();
  const controller = new AbortController();
  const input = new PassThrough();
  input.write("a line\n");
  const used = withSpooledInput(input, { folder, signal: controller.signal }, async (path) => path);
  await expect.poll(() => readdirSync(folder)).toHaveLength(1);
  controller.abort();
  await expect(used).rejects.toThrow("aborted");
  expect(readdirSync(folder)).toEqual([]);
});

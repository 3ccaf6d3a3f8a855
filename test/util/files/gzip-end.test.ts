import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { unpackGzip } from "../../../src/util/files/file-content.ts";
import { findGzipEnd } from "../../../src/util/files/gzip-end.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

const small = gzipSync("a line\n");
/** Longer than one read. */
const large = gzipSync(randomBytes(200_000));

async function endOf(...parts: readonly Buffer[]): Promise<number | undefined> {
  const path = join(createTempFolder(), "file.gz");
  writeFileSync(path, Buffer.concat(parts));
  return await findGzipEnd(path);
}

it.each<[string, Buffer[], Buffer[]]>([
  ["nothing", [small], []],
  ["nothing, after several members", [small, large, small], []],
  ["text", [small], [Buffer.from("garbage\n")]],
  ["only a line feed", [large], [Buffer.from("\n")]],
  ["only the first byte of a member", [small], [Buffer.of(0x1f)]],
  ["zeros", [small], [Buffer.alloc(512)]],
  ["zeros and another member", [small], [Buffer.alloc(1), small]],
  ["more than one read", [large, small], [Buffer.alloc(200_000, "x")]],
])("finds the end of the members when %s follows", async (_label, members, rest) => {
  expect(await endOf(...members, ...rest)).toBe(Buffer.concat(members).length);
});

it.each<[string, Buffer[]]>([
  ["a truncated member", [large.subarray(0, -3)]],
  ["a truncated member after a complete one", [small, large.subarray(0, -1)]],
  ["a damaged member", [large.subarray(0, 90_000), Buffer.alloc(10), large.subarray(90_010)]],
  ["a damaged header of another member", [small, Buffer.of(0x1f, 0x8b, 0, 0, 0)]],
])("finds no end in %s", async (_label, parts) => {
  expect(await endOf(...parts)).toBeUndefined();
});

it.each<[string, Buffer, boolean]>([
  ["only members", Buffer.concat([small, large]), true],
  ["text after them", Buffer.concat([small, Buffer.from("garbage")]), false],
  ["a zero and another member after them", Buffer.concat([small, Buffer.alloc(1), small]), false],
])("a download is complete only if nothing follows its gzip data: %s", async (_label, content, isWhole) => {
  const path = join(createTempFolder(), "file");
  writeFileSync(path, content);
  expect(await unpackGzip(path, new AbortController().signal)).toBe(isWhole);
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { copyPieces, PieceReader } from "../../../../src/load/history/pieces/copy-pieces.ts";
import { openFilesBelow } from "../../../support/open-files.ts";
import { createTempFolder } from "../../../support/temp-folder.ts";

const folder = () => createTempFolder();

function write(path: string, text: string): { path: string; at: number; bytes: number } {
  writeFileSync(path, text);
  return { path, at: 0, bytes: Buffer.byteLength(text) };
}

async function copy(texts: readonly string[], isCareful = false): Promise<string> {
  const place = folder();
  const pieces = texts.map((text, index) => write(join(place, `${index}.jsonl`), text));
  const to = join(place, "copy.jsonl");
  await copyPieces(pieces, to, { isCareful });
  return readFileSync(to, "utf8");
}

describe.each([false, true])("a copy (careful: %s)", (isCareful) => {
  it("has the pieces in order, each with whole lines", async () => {
    expect(await copy(['{"a":1}\n{"b":2}\n', '{"c":3}', '{"d":4}\n'], isCareful)).toBe(
      '{"a":1}\n{"b":2}\n{"c":3}\n{"d":4}\n',
    );
  });

  it("has only the pieces of a file, adjacent or not", async () => {
    const place = folder();
    const { path } = write(join(place, "all.jsonl"), '{"a":1}\n{"b":2}\n{"c":3}\n{"d":4}\n');
    const to = join(place, "copy.jsonl");
    const pieces = [0, 8, 24].map((at) => ({ path, at, bytes: 8 }));
    await copyPieces(pieces, to, { isCareful });
    expect(readFileSync(to, "utf8")).toBe('{"a":1}\n{"b":2}\n{"d":4}\n');
  });

  it("replaces no file, and stops on request", async () => {
    const place = folder();
    const piece = write(join(place, "a.jsonl"), '{"a":1}\n');
    await expect(copyPieces([piece], piece.path, { isCareful })).rejects.toMatchObject({ code: "EEXIST" });
    const signal = AbortSignal.abort(new Error("stopped"));
    await expect(copyPieces([piece], join(place, "b.jsonl"), { isCareful, signal })).rejects.toThrow(
      "stopped",
    );
  });
});

it("a careful copy has null instead of what is not one whole object, and no blank lines", async () => {
  const lines = [
    '{"a":1}',
    '{"a":',
    " ",
    '{"a":1} \t\r',
    '"}',
    "{",
    "}",
    "[1]",
    "",
    '{"a":1}}',
    `{"a":"${"x".repeat(2 ** 20)}"}`,
  ];
  expect((await copy([lines.join("\n")], true)).split("\n")).toEqual([
    ...['{"a":1}', "null", '{"a":1} \t\r', "null", "null", "null", "null", '{"a":1}}', "null", ""],
  ]);
});

it.each([false, true])("a copy leaves no file open, complete or not (careful: %s)", async (isCareful) => {
  const place = folder();
  const piece = write(join(place, "a.jsonl"), '{"a":1}\n');
  const gone = { ...piece, path: join(place, "gone.jsonl") };
  await copyPieces([piece], join(place, "whole.jsonl"), { isCareful });
  for (let time = 0; time < 3; time += 1) {
    const copying = copyPieces([piece, gone], join(place, `part-${time}.jsonl`), { isCareful });
    await expect(copying).rejects.toThrow("gone.jsonl can't be read");
  }
  expect(openFilesBelow(place)).toEqual([]);
});

it("a careful copy works across chunk boundaries", async () => {
  const lines = Array.from(
    { length: 20_000 },
    (_, index) => `{"line":${index},"text":"${"é".repeat(index % 90)}"}`,
  );
  const text = `${lines.join("\n")}\n`;
  expect((await copy([text], true)) === text).toBe(true);
});

describe("a piece reader", () => {
  it("reads pieces of several files, in chunks", () => {
    const place = folder();
    const long = "0123456789".repeat(150_000);
    const [first, second] = [write(join(place, "a"), long), write(join(place, "b"), "second")];
    const reader = new PieceReader();
    const read = (piece: typeof first) =>
      Buffer.concat([...reader.read(piece)].map((chunk) => Buffer.from(chunk)));
    const chunks = [...reader.read(first)].map((chunk) => chunk.length);
    expect(chunks.reduce((sum, bytes) => sum + bytes, 0)).toBe(long.length);
    expect(Math.max(...chunks)).toBe(512 * 1024);
    // Only one chunk is held at a time.
    expect([...reader.read({ ...first, at: 3, bytes: 5 })].map(String)).toEqual(["34567"]);
    expect(read(second).toString()).toBe("second");
    expect(read({ ...first, at: long.length - 2, bytes: 9 }).toString()).toBe("89");
    reader.close();
    expect(read({ ...second, at: 1, bytes: 2 }).toString()).toBe("ec");
    reader.close();
  });

  it("holds at most one file open, and none after closing", () => {
    const place = folder();
    const reader = new PieceReader();
    for (const name of ["a", "a", "b", "c"]) {
      expect([...reader.read(write(join(place, name), name))].map(String)).toEqual([name]);
      expect(openFilesBelow(place)).toEqual([join(place, name)]);
    }
    reader.close();
    reader.close();
    expect(openFilesBelow(place)).toEqual([]);
  });

  it("names the unreadable file", () => {
    const path = join(folder(), "gone");
    const reader = new PieceReader();
    expect(() => [...reader.read({ path, at: 0, bytes: 1 })]).toThrow(`${path} can't be read`);
    reader.close();
  });
});

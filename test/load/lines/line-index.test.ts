import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { maxLineBytes } from "../../../src/load/lines/line-cursor.ts";
import { type IndexedLine, LineIndex } from "../../../src/load/lines/line-index.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

interface Found {
  index: LineIndex;
  sampled: string[];
  read(rows: readonly number[]): Promise<(Omit<IndexedLine, "bytes"> & { text: string })[]>;
}

function indexText(text: string, chunkBytes = 1000): Found {
  const path = join(createTempFolder(), "lines.jsonl");
  writeFileSync(path, text);
  const sampled: string[] = [];
  const index = new LineIndex((line) => sampled.push(line));
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += chunkBytes)
    index.add(bytes.subarray(from, from + chunkBytes));
  index.finish();
  return {
    index,
    sampled,
    async read(rows) {
      const found: Awaited<ReturnType<Found["read"]>> = [];
      await index.read(path, rows, ({ bytes: line, ...others }) =>
        found.push({ ...others, text: line.toString() }),
      );
      return found;
    },
  };
}

describe("the index of a file's lines", () => {
  const text = Array.from({ length: 5000 }, (_, row) => `{"row":${row}}\n${row % 7 === 0 ? " \n" : ""}`).join(
    "",
  );

  it("counts lines and blank lines", () => {
    const { index } = indexText(text);
    expect(index).toMatchObject({ rows: 5000, blank: 715, lines: 5715 });
  });

  it.each([
    [[0]],
    [[4999]],
    [[0, 1, 255, 256, 257, 700, 4000, 4001, 4999]],
    [Array.from({ length: 5000 }, (_, row) => row)],
  ])("finds rows %#", async (rows) => {
    const found = await indexText(text).read(rows);
    expect(found.map(({ row, text: line }) => ({ row, line }))).toEqual(
      rows.map((row) => ({ row, line: `{"row":${row}}` })),
    );
    expect(found.map(({ lineNumber }) => lineNumber)).toEqual(
      rows.map((row) => row + 1 + Math.ceil(row / 7)),
    );
  });

  it("ignores a byte order mark, and keeps carriage returns and a last line without line feed", async () => {
    const { index, read } = indexText('\uFEFF{"a":1}\r\n\r\n{"b":2}', 2000);
    expect(index).toMatchObject({ rows: 2, blank: 1, lines: 3 });
    expect(await read([0, 1])).toMatchObject([{ text: '{"a":1}\r' }, { text: '{"b":2}', lineNumber: 3 }]);
  });

  it("takes a byte order mark anywhere else as part of a line", async () => {
    const text = `{"a":"${"x".repeat(994)}\uFEFF"}\n{"b":2}\n`;
    const { read } = indexText(text);
    expect(await read([0, 1])).toMatchObject([{ text: text.split("\n")[0] }, { text: '{"b":2}' }]);
  });

  it("truncates a line that is too long", async () => {
    const { index, read } = indexText(`${"x".repeat(maxLineBytes + 1)}\n{"a":1}\n`, 100_000);
    expect(index.longestBytes).toBe(maxLineBytes + 1);
    expect(await read([0, 1])).toMatchObject([{ isTooLong: true }, { text: '{"a":1}', isTooLong: false }]);
  });

  it.each([700, 100_000, 4_000_000])(
    "tells blank lines from others in chunks of %i bytes",
    async (chunkBytes) => {
      const spaces = " ".repeat(1_300_000);
      const { index, read } = indexText(`{"a":1}\n${spaces}{${spaces}\n${spaces}\n{"b":2}\n`, chunkBytes);
      expect(index).toMatchObject({ rows: 3, blank: 1, oddRows: [1] });
      expect(await read([2])).toMatchObject([{ text: '{"b":2}', lineNumber: 4 }]);
      expect(await read([0, 1])).toMatchObject([{ text: '{"a":1}', isPlain: true }, { isPlain: false }]);
    },
  );

  it("samples the first 2,000 lines, then one in 500", () => {
    const { sampled } = indexText(Array.from({ length: 4000 }, (_, row) => `${row + 1}\n`).join(""));
    expect(sampled.slice(1999)).toEqual(["2000", "2500", "3000", "3500", "4000"]);
  });

  it("reports a file that has become shorter", async () => {
    const { index } = indexText(text);
    const path = join(createTempFolder(), "shorter.jsonl");
    writeFileSync(path, text.slice(0, 1000));
    await expect(index.read(path, [4999], () => {})).rejects.toThrow(/fewer lines than before/);
  });
});

import { array, assert, constant, integer, oneof, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { isBlank, LineCursor, maxLineBytes } from "../../../src/load/lines/line-cursor.ts";

/** The lines of a text in chunks of these sizes, the last of which extends to its end. */
function linesOf(text: string, sizes: readonly number[]) {
  const bytes = Buffer.from(text);
  const cursor = new LineCursor();
  const lines: object[] = [];
  const take = () => {
    const { isBlank, line } = cursor;
    lines.push({ number: line.lineNumber, text: line.bytes.toString(), isBlank, isTooLong: line.isTooLong });
  };
  let at = 0;
  for (const size of [...sizes, bytes.length]) {
    // All chunks share one buffer, as when reading a file: remainders must be copied.
    const chunk = Buffer.from(bytes.subarray(at, at + size));
    at += chunk.length;
    cursor.begin(chunk);
    while (cursor.next()) take();
    chunk.fill("#");
  }
  if (cursor.finish()) take();
  return lines;
}

const blanks = constant(" \t\r\v\f");

describe("the lines of a file", () => {
  it("are the same however it is chunked", () => {
    const text = array(oneof(string({ unit: "binary" }), blanks, constant("\n"), constant("\n\n"))).map(
      (parts) => Buffer.from(parts.join("")).toString(),
    );
    assert(
      property(text, array(integer({ min: 1, max: 12 })), (file, sizes) => {
        const expected = file.split("\n").map((line, index) => ({
          number: index + 1,
          text: line,
          isBlank: /^[ \t\r\v\f]*$/.test(line),
          isTooLong: false,
        }));
        if (file === "" || file.endsWith("\n")) expected.pop();
        expect(linesOf(file, sizes)).toStrictEqual(expected);
      }),
    );
  });

  it.each([
    ["in one chunk", []],
    ["in several chunks", [10, 500_000, 500_000, 50_000, 1]],
    ["with its end in a separate chunk", [maxLineBytes, 1]],
  ])("may be as long as the limit, and no longer: %s", (_, sizes) => {
    const [whole, over] = ["x".repeat(maxLineBytes), "y".repeat(maxLineBytes + 1)];
    const whole1 = { number: 1, text: whole, isBlank: false, isTooLong: false };
    expect(linesOf(`${whole}\n`, sizes)).toStrictEqual([whole1]);
    expect(linesOf(whole, sizes)).toStrictEqual([whole1]);
    const over1 = { number: 1, text: "y".repeat(4096), isBlank: false, isTooLong: true };
    const next = { number: 2, text: "next", isBlank: false, isTooLong: false };
    expect(linesOf(`${over}\nnext\n`, sizes)).toStrictEqual([over1, next]);
    expect(linesOf(`${over}\nnext`, sizes)).toStrictEqual([over1, next]);
    expect(linesOf(over, sizes)).toStrictEqual([over1]);
  });
});

it("only lines of spaces, tabs, line ends, vertical tabs and form feeds are blank", () => {
  const bytes = [...Array(128).keys()].filter((byte) => byte !== 0x0a);
  const blank = bytes.filter((byte) => isBlank(Buffer.from([0x20, byte, 0x20])));
  expect(blank).toEqual([0x09, 0x0b, 0x0c, 0x0d, 0x20]);
  expect(isBlank(Buffer.from("a  b"), 1, 3)).toBe(true);
});

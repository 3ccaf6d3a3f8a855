import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonRecords } from "../../../src/load/files/json-records.ts";

/** @param chunkBytes size of each chunk */
function split(text: string, chunkBytes = 1000): { lines: string[]; isIncomplete: boolean } {
  const records = new JsonRecords();
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    parts.push(records.split(Buffer.from(bytes.subarray(at, at + chunkBytes))));
  }
  parts.push(records.finish());
  const lines = Buffer.concat(parts).toString().split("\n").slice(0, -1);
  return { lines, isIncomplete: records.isIncomplete };
}

describe.each([1, 2, 7, 1000])("in chunks of %i bytes", (chunkBytes) => {
  it.each<[label: string, text: string, lines: string[]]>([
    ["an array", '[{"a":1},{"b":"]"}]', ['{"a":1}', '{"b":"]"}']],
    ["an empty array", " [ ] \n", []],
    ["an array over several lines", '[\n  {\n    "a": [1,\r\n2]\n  }\n]', ['{     "a": [1,  2]   }']],
    ["a page", '{"total_count":2,"page":1,"data":[{"a":1},{"b":2}],"page_count":1}', ['{"a":1}', '{"b":2}']],
    ["a page with its data first", '{"data":[{"a":[]}],"x":{"data":[3]}}', ['{"a":[]}']],
    ["an empty page", '{"total_count":0,"data":[]}', []],
    ["concatenated pages", '{"data":[{"a":1}]}\n{"data":[{"b":2}]}', ['{"a":1}', '{"b":2}']],
    ["a page without data", '{"error":"data","more":["data"]}', ['{"error":"data","more":["data"]}']],
    ["data that is not an array", '{"data":{"a":[1]}}', ['{"data":{"a":[1]}}']],
    ["objects over several lines", '{\n"a":1\n}\n{\n"b":2\n}', ['{ "a":1 }', '{ "b":2 }']],
    [
      "elements that are not objects",
      '[1, "a,]", null,[2],{"a":1}]',
      ["1", '"a,]"', "null", "[2]", '{"a":1}'],
    ],
    ["quotes and backslashes", String.raw`[{"a":"\"]}\\"},{"b":1}]`, [String.raw`{"a":"\"]}\\"}`, '{"b":1}']],
    ["an unescaped line end in a string", '[{"a":"x\ny"}]', ['{"a":"x\ty"}']],
    ["numbers and keys in any notation", '[{"a":1e3,"a":1.0}]', ['{"a":1e3,"a":1.0}']],
    ["multi-byte characters", '[{"a":"Café 🎵"}]', ['{"a":"Café 🎵"}']],
  ])("%s", (_label, text, lines) => {
    expect(split(text, chunkBytes)).toEqual({ lines, isIncomplete: false });
  });

  it.each<[label: string, text: string, lines: string[]]>([
    ["an array truncated within an element", '[{"a":1},{"b"', ['{"a":1}', '{"b"']],
    ["an array truncated between elements", '[{"a":1},', ['{"a":1}']],
    ["a truncated page", '{"data":[{"a":1}]', ['{"a":1}']],
  ])("%s", (_label, text, lines) => {
    expect(split(text, chunkBytes)).toEqual({ lines, isIncomplete: true });
  });
});

it("splits any array into its elements, however it is written or chunked", () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue()),
      fc.constantFrom(undefined, 2),
      fc.nat({ max: 50 }),
      (values, indent, size) => {
        const { lines, isIncomplete } = split(JSON.stringify(values, null, indent), size + 1);
        expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(JSON.stringify(values)));
        expect(isIncomplete).toBe(false);
      },
    ),
    { seed: 20261125, numRuns: 300 },
  );
});

it("an overlong record takes no more memory than its rejection needs", () => {
  const records = new JsonRecords();
  records.split(Buffer.from('[{"a":"'));
  for (let count = 0; count < 100; count += 1) records.split(Buffer.alloc(512 * 1024, "x"));
  const line = records.split(Buffer.from('"}]'));
  expect(line.length).toBeGreaterThan(1024 * 1024);
  expect(line.length).toBeLessThan(3 * 1024 * 1024);
});

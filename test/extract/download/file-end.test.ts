import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hasCompleteLastLine } from "../../../src/extract/download/part-file.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

it.each([
  ["an empty file", "", true],
  ["a final newline", '{"a":1}\n{"a":2}\n', true],
  ["no final newline", '{"a":1}\n{"a":2}', true],
  ["CRLF and blank lines after it", '{"a":1}\r\n\r\n\n', true],
  ["a truncated line", '{"a":1}\n{"a":', false],
  ["a truncated line that is still JSON", '{"a":1}\n12', false],
  ["a line longer than one read", `{"a":"${"x".repeat(1_500_000)}"}\n`, true],
])("%s", async (_label, text, expected) => {
  const path = join(createTempFolder(), "file.jsonl");
  writeFileSync(path, text);
  expect(await hasCompleteLastLine(path)).toBe(expected);
});

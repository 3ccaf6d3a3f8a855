import { join } from "node:path";
import { expect, it } from "vitest";
import { WalkFile } from "../../../src/extract/walk/walk-file.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

async function readLines(file: WalkFile): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of file.lines()) lines.push(line);
  return lines;
}

it("gives back the lines that were appended, however the reads cut them", async () => {
  const path = join(createTempFolder(), "walk.jsonl");
  // Three bytes a letter: reads of 64 KiB cut some of them.
  const lines = Array.from({ length: 3_000 }, (_, index) =>
    JSON.stringify({ index, name: "€".repeat(index % 97) }),
  );
  const file = await WalkFile.open(path, 0);
  expect(file && (await readLines(file))).toEqual([]);
  await file?.append(lines.slice(0, 1_000));
  await file?.append(lines.slice(1_000));
  expect(file && (await readLines(file))).toEqual(lines);
  // A second time: the file stays open.
  expect(file && (await readLines(file))).toEqual(lines);
  await file?.close();
  const again = await WalkFile.open(path, Buffer.byteLength(`${lines.slice(0, 10).join("\n")}\n`));
  expect(again && (await readLines(again))).toEqual(lines.slice(0, 10));
  await again?.close();
});

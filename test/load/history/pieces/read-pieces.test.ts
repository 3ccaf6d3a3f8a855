import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { readPieces } from "../../../../src/load/history/pieces/read-pieces.ts";
import { createTempFolder } from "../../../support/temp-folder.ts";
import { musicLine } from "../../load-fixture.ts";

it("a packed landing that can't be unpacked for want of a place is not called unreadable", async () => {
  const folder = createTempFolder();
  const landing = join(folder, "sound.jsonl.gz");
  writeFileSync(landing, gzipSync(`${musicLine()}\n`));
  const options = { known: { key: Buffer.alloc(16), lines: new Map<string, number>() }, show: () => {} };

  const unpacked = await readPieces(landing, { ...options, folder });
  expect(unpacked.pieces).toMatchObject([{ at: 0, lines: 1 }]);
  await expect(readPieces(landing, { ...options, folder: join(folder, "missing") })).rejects.toMatchObject({
    name: "Error",
    code: "ENOENT",
  });
});

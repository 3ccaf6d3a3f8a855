import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { copyFile } from "../../src/backup/copy-file.ts";
import { createTempFolder } from "../support/temp-folder.ts";

it("creates no file if there is nothing to copy", async () => {
  const folder = createTempFolder();
  const { signal } = new AbortController();
  for (let round = 0; round < 20; round += 1)
    await expect(copyFile(join(folder, "none"), join(folder, `${round}`), signal)).rejects.toThrow("ENOENT");
  await setTimeout(50);
  expect(readdirSync(folder)).toEqual([]);
});

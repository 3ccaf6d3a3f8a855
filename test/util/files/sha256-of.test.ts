import { createHash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sha256Of } from "../../../src/util/files/file-content.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

it.each([0, 1, 262_144, 262_145, 1_000_000])("hashes all of a file of %d bytes", async (bytes) => {
  const file = join(createTempFolder(), "file");
  const content = randomBytes(bytes);
  writeFileSync(file, content);
  expect(await sha256Of(file)).toBe(createHash("sha256").update(content).digest("hex"));
});

it("stops where it is told to", async () => {
  const file = join(createTempFolder(), "file");
  writeFileSync(file, "content");
  await expect(sha256Of(file, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
});

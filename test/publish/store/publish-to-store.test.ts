import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe } from "vitest";
import { createTempFolder } from "../../support/temp-folder.ts";
import { testPublishing } from "./publish-suite.ts";

describe("into objects of a folder", () => {
  testPublishing({
    createTarget: () => join(createTempFolder(), "store"),
    abandonUpload: async (target, key) => {
      const file = join(target, key);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(join(dirname(file), `.unfinished-${randomUUID()}-${basename(file)}`), "half");
    },
    age: (target, key, hours) => {
      const at = new Date(Date.now() - hours * 3_600_000);
      const files = readdirSync(target, { recursive: true, encoding: "utf8" });
      for (const file of files.filter((name) => name === key || name.includes(".unfinished-")))
        utimesSync(join(target, file), at, at);
    },
  });
});

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe } from "vitest";
import { isAll, share } from "../../support/long-suite.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { testKilledAndShared } from "./killed-and-shared-suite.ts";

describe("a lake in a folder", () => {
  testKilledAndShared({
    createLake: () => join(createTempFolder(), "lake"),
    listOthers: async (lake) => [
      ...readdirSync(join(lake, "core")).filter((name) => name.startsWith(".")),
      ...readdirSync(join(lake, "machines")).filter((name) => name !== "east.json"),
    ],
    kills: share(1, 4, 12),
    machines: ["east", "west", "north"],
    publishes: share(2, 6, 20),
    isSkipped: !isAll,
  });
});

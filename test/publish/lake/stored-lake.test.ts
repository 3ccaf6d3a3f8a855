import { join } from "node:path";
import { describe } from "vitest";
import { createTempFolder } from "../../support/temp-folder.ts";
import { testStoredLake } from "./stored-lake-suite.ts";

describe("a lake in objects of a folder", () => {
  testStoredLake(() => join(createTempFolder(), "store"));
});

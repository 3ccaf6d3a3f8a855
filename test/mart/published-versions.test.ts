import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findCurrentVersion, incrementVersion, listVersions } from "../../src/mart/published-versions.ts";
import { createTempFolder } from "../support/temp-folder.ts";

it.each([
  [[], "v000001"],
  [["v000009"], "v000010"],
  [["v000012", "v000009"], "v000013"],
  [["v999999"], "v1000000"],
])("%s is followed by %s", (versions, next) => {
  expect(incrementVersion(versions)).toBe(next);
});

it("lists only versions, by number", () => {
  const folder = createTempFolder();
  for (const name of ["v1000000", "v000002", "v000010", "current", ".unfinished-v000011", "notes", "v12"]) {
    mkdirSync(join(folder, name));
  }
  expect(listVersions(folder)).toEqual(["v000002", "v000010", "v1000000"]);
});

it("finds no current version if the link is broken", () => {
  const folder = createTempFolder();
  expect(findCurrentVersion(folder)).toBeUndefined();
  symlinkSync("v000001", join(folder, "current"));
  expect(findCurrentVersion(folder)).toBeUndefined();
  mkdirSync(join(folder, "v000001"));
  expect(findCurrentVersion(folder)).toBe("v000001");
});

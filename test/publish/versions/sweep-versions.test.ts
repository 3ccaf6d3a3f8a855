import { mkdirSync, readdirSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { removeUnfinished, sweepVersions } from "../../../src/publish/versions/settle-killed-publish.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

/** Creates version folders with ages in minutes, oldest first. */
function createVersions(agesMinutes: readonly number[], current: string): string {
  const folder = createTempFolder();
  for (const [index, minutes] of agesMinutes.entries()) {
    const version = join(folder, `v00000${index + 1}`);
    mkdirSync(version);
    const at = Date.now() / 1000 - minutes * 60;
    utimesSync(version, at, at);
  }
  symlinkSync(current, join(folder, "current"));
  return folder;
}

it.each([
  ["the last three stay", [50, 40, 30, 20, 15], "v000005", ["v000003", "v000004", "v000005"]],
  [
    "versions younger than ten minutes stay",
    [50, 9, 8, 7, 6],
    "v000005",
    ["v000002", "v000003", "v000004", "v000005"],
  ],
  ["small numbers stay", [50, 40], "v000002", ["v000001", "v000002"]],
  ["the current version stays", [50, 40, 30, 20], "v000001", ["v000001", "v000002", "v000003", "v000004"]],
])("%s", (_label, ages, current, kept) => {
  const folder = createVersions(ages, current);
  sweepVersions(folder);
  expect(readdirSync(folder).filter((name) => name !== "current")).toEqual(kept);
});

it("removes leftovers of killed publishes of this and earlier versions", () => {
  const folder = createVersions([5], "v000001");
  mkdirSync(join(folder, ".unfinished-v000002"));
  for (const name of ["current.new", "current.1234.new"]) symlinkSync("v000002", join(folder, name));
  removeUnfinished(folder);
  expect(readdirSync(folder).sort()).toEqual(["current", "v000001"]);
});

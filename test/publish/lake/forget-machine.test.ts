import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { forgetMachine } from "../../../src/publish/lake/machine-folders.ts";
import { itInAll } from "../../support/long-suite.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { LakeMachine, readLake, song } from "./lake-machine.ts";

let lake: string;
let east: LakeMachine;
let west: LakeMachine;
beforeEach(async () => {
  lake = join(createTempFolder(), "lake");
  east = await LakeMachine.open("east", lake);
  await east.add("play", song("2026-10-05 10:00:00"));
  west = east.as("west");
  await east.publish();
});

itInAll("removes one machine, and leaves the others", async () => {
  const { files } = await west.publish();
  const { bytes, ...removed } = await forgetMachine(lake, "west");
  expect(removed).toEqual({ machine: "west", files });
  expect(bytes).toBeGreaterThan(10_000);
  expect(listNames().filter((name) => name.includes("west"))).toEqual([]);
  await readLake(lake, (reader) => east.expectSame(reader));
  await west.publish();
  await readLake(lake, (reader) => west.expectSame(reader));
});

it("completes an interrupted removal", async () => {
  await west.publish();
  rmSync(join(lake, "machines", "west.json"));
  rmSync(join(lake, "core", "play", "machine=west"), { recursive: true });
  await forgetMachine(lake, "west");
  expect(listNames().filter((name) => name.includes("west"))).toEqual([]);
});

it("removes a machine with an unreadable manifest", async () => {
  await west.publish();
  writeFileSync(join(lake, "machines", "west.json"), "{");
  await forgetMachine(lake, "west");
  expect(existsSync(join(lake, "machines", "west.json"))).toBe(false);
});

it("suggests the machine that was probably meant", async () => {
  await west.publish();
  await expect(forgetMachine(lake, "wset")).rejects.toThrow(
    expect.objectContaining({ code: "UNKNOWN_MACHINE" }),
  );
  await expect(forgetMachine(lake, "wset")).rejects.toThrow(
    `No machine "wset" has published into ${lake}, which has east, west. Did you mean west?`,
  );
  await expect(forgetMachine(join(lake, "none"), "east")).rejects.toThrow(/which has no machines\.$/);
  await expect(forgetMachine(lake, "../east")).rejects.toThrow(
    expect.objectContaining({ code: "UNKNOWN_MACHINE" }),
  );
});

it("a concurrent publish publishes no removed files", async () => {
  // Another play, and the rest unchanged: the kept files are gone when the manifest should be published.
  await east.add("play", song("2026-11-05 10:00:00"));
  const published = east.publish({
    onProgress: () => rmSync(join(lake, "core", "calendar"), { recursive: true, force: true }),
  });
  await expect(published).rejects.toThrow(expect.objectContaining({ code: "LAKE_FORGOTTEN" }));
  await east.publish();
  await readLake(lake, (reader) => east.expectSame(reader));
});

function listNames(): string[] {
  return readdirSync(lake, { recursive: true }).map(String);
}

import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { generatePlays, publishedWorld } from "../report/plays-world.ts";
import { publishFixture } from "./published-fixture.ts";
import type { RunOptions } from "./run-venue.ts";
import { shareFolder } from "./shared-folder.ts";
import { createTempFolder } from "./temp-folder.ts";

/** A separate working folder whose data folder publishes the shared world of plays. */
export async function setUpPlays(): Promise<RunOptions> {
  const published = await shareFolder("published plays", (own) =>
    publishFixture(own, publishedWorld("v000001", generatePlays())),
  );
  const workingFolder = createTempFolder();
  mkdirSync(join(workingFolder, "data"));
  symlinkSync(published, join(workingFolder, "data", "published"));
  const environment = { VENUE_HOME: join(workingFolder, "home"), VENUE_NOW: "2026-11-21T12:00:00Z" };
  return { workingFolder, environment };
}

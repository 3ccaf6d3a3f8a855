import { join } from "node:path";
import { expect, it } from "vitest";
import { reportNames } from "../../src/report/report-name.ts";
import { earlierVersions, placeEarlierData } from "../support/earlier-version.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { ask, serveForTest } from "./served.ts";

const views = ["", ...reportNames, "plays.csv"];

it.each(earlierVersions)("data published by %s is shown or reported as outdated", async (commit) => {
  const dataFolder = createTempFolder();
  placeEarlierData({ dataFolder, environment: { VENUE_HOME: join(dataFolder, "home") } }, commit);
  const { origin, warnings } = await serveForTest({ dataFolder });
  for (const view of views) {
    const { status, text } = await ask(origin, `/${view}`);
    const isOutdated = /was built by an older version .* lacks .* Run `venue build` once/.test(text);
    expect([view, status, isOutdated]).toEqual([view, isOutdated ? 400 : 200, isOutdated]);
  }
  expect(warnings).toEqual([]);
});

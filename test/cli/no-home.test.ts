import { chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { canRunThrough, startVenue } from "../support/run-venue.ts";
import { createTempFolder } from "../support/temp-folder.ts";

/** A user without an entry in /etc/passwd, as in containers. */
const asNobodyKnown = ["setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"];

it.runIf(canRunThrough(asNobodyKnown))(
  "a user without a home must set where secrets are stored",
  async () => {
    const workingFolder = createTempFolder();
    chmodSync(dirname(workingFolder), 0o755);
    chmodSync(workingFolder, 0o777);
    const run = async (words: string[], environment: NodeJS.ProcessEnv = {}) =>
      await startVenue(words, { workingFolder, environment, through: asNobodyKnown }).finished;

    const { code, stderr } = await run(["login"], {
      VENUE_BASE_URL: "http://127.0.0.1:9/v5",
      VENUE_CLIENT_ID: "x",
    });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^venue: VENUE_HOME is not set \(.*\)\. Set it/),
    ]);
    for (const environment of [{}, { VENUE_HOME: join(workingFolder, "home") }]) {
      const report = await run(["report", "plays"], environment);
      expect([report.code, report.stderr]).toEqual([
        2,
        expect.stringMatching(/^venue: Nothing is published/),
      ]);
    }
  },
);

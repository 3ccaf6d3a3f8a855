import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runVenue } from "../../support/run-venue.ts";
import { serveRequests } from "../../support/serve-requests.ts";
import { stableText } from "../../support/stable-text.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

async function setUp() {
  let requests = 0;
  const url = await serveRequests((_request, response) => {
    requests += 1;
    response.end("{}");
  });
  const workingFolder = createTempFolder();
  writeFileSync(join(workingFolder, "empty.png"), "");
  writeFileSync(join(workingFolder, "picture.png"), "x");
  mkdirSync(join(workingFolder, "folder"));
  return {
    workingFolder,
    requests: () => requests,
    environment: {
      VENUE_BASE_URL: `${url}/v5`,
      VENUE_STATUS_URL: `${url}/status`,
      VENUE_CLIENT_ID: "client",
      VENUE_CLIENT_SECRET: "secret-5a1b",
      VENUE_HOME: join(workingFolder, "home"),
    } as NodeJS.ProcessEnv,
  };
}

const campaign = ["signage", "create-campaign", "--group-id", "1", "--name", "Sale", "--yes"];
const upload = ["signage", "upload-asset", "--group-id", "1", "--name", "Sale", "--yes"];

it.each<[string, string]>([
  ["no id", "devices status"],
  ["an id of 2^51", "devices reboot --zone-id 2251799813685248 --yes"],
  ["an empty id", "devices reboot --yes --zone-id="],
  ["a volume over 100", "music volume --zone-id 1 --volume 101 --yes"],
  ["a duration of 0", "playlists override --zone-id 1 --playlist-id 2 --duration 0 --yes"],
  ["neither group nor zone", "signage campaigns"],
  ["group and zone", "messaging assets --group-id 1 --zone-id 2"],
  ["a day that does not exist", [...campaign, "--start-date", "2026-02-30"].join(" ")],
  ["a date in another format", [...campaign, "--end-date", "1.3.2026"].join(" ")],
  [
    "a start after the end",
    [...campaign, "--start-date", "2026-03-02", "--end-date", "2026-03-01"].join(" "),
  ],
  ["no rule", [...campaign, "--rrule", "FREQ=SOMETIMES"].join(" ")],
  ["an invalid hour", [...campaign, "--rrule", "FREQ=DAILY;BYHOUR=25"].join(" ")],
  ["a missing file", [...upload, "--file", "nowhere.png"].join(" ")],
  ["an empty file", [...upload, "--file", "empty.png"].join(" ")],
  ["a folder instead of a file", [...upload, "--file", "folder"].join(" ")],
  [
    "an upload that starts after its end",
    [...upload, "--file", "picture.png", "--start-date", "2026-03-02", "--end-date", "2026-03-01"].join(" "),
  ],
  ["an id that escapes its path", "history export-job --job-id .."],
  ["a folder as the target of a download", "history download --job-id 5 --out folder"],
  ["a download into a missing folder", "history download --job-id 5 --out no/where"],
  ["a page and all pages", "status notices --page 2 --all"],
  ["top level and a parent", "status components --top-level --parent-id 3"],
])("%s: exit code 2, and sends nothing", async (_label, line) => {
  const machine = await setUp();
  const finished = await runVenue(["api", ...line.split(" ")], machine);
  expect(stableText(finished.stderr)).toMatchSnapshot();
  expect(finished.stderr).not.toContain("this is a bug");
  expect(finished.code).toBe(2);
  expect(finished.stdout).toBe("");
  expect(machine.requests()).toBe(0);
});

it("names missing settings, but only the needed ones", async () => {
  const machine = await setUp();
  Object.assign(machine.environment, { VENUE_STATUS_URL: "", VENUE_CLIENT_ID: "", VENUE_CLIENT_SECRET: "" });
  const status = await runVenue(["api", "status", "page"], machine);
  expect(status.stderr).toMatch(/VENUE_STATUS_URL is not set/);
  const devices = await runVenue(["api", "devices", "status", "--group-id", "1"], machine);
  expect(devices.stderr).toMatch(/no credentials[\s\S]*venue login/);
  expect([status.code, devices.code]).toEqual([2, 2]);
});

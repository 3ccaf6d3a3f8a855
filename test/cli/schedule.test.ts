import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { openDataState } from "../../src/state/data/data-state.ts";
import { itInAll } from "../support/long-suite.ts";
import { runVenue, startVenue } from "../support/run-venue.ts";
import { type Setup, setUp } from "../support/service.ts";

/** Commands and statuses, oldest first. */
function runsOf({ dataFolder }: Setup): string[] {
  const state = openDataState(join(dataFolder, "state.db"));
  try {
    return state.runs
      .list(9)
      .map(({ command, status }) => `${command} ${status}`)
      .reverse();
  } finally {
    state.close();
  }
}

itInAll("runs at once on a new machine, then waits, and repeats a run that it was stopped in", async () => {
  const setup = await setUp({ days: 1, zones: 2, playScale: 0.1 });
  const first = startVenue(["schedule"], setup);
  await expect.poll(() => runsOf(setup)).toEqual(["run running"]);
  first.child.kill("SIGTERM");
  expect((await first.finished).code).toBe(143);
  // On a busy machine, it may be ended before it has recorded that; the next run records it.
  expect(["run interrupted", "run running"]).toContain(runsOf(setup).join());

  const second = startVenue(["schedule"], setup);
  await expect.poll(() => second.stderr()).toContain("is due again at");
  expect(runsOf(setup)).toEqual(["run interrupted", "run succeeded"]);
  second.child.kill("SIGTERM");
  expect((await second.finished).code).toBe(143);

  const third = startVenue(["schedule", "--schedule-devices", "0 0 1 1 *"], setup);
  await expect.poll(() => third.stderr()).toContain("sync devices");
  third.child.kill("SIGINT");
  const { code, stdout, stderr } = await third.finished;
  expect([code, stdout]).toEqual([130, ""]);
  expect(stderr).toMatch(
    /^venue run is due at \d{4}-\d\d-\d\d 05:30\nvenue sync devices is due at \d{4}-01-01 00:00\n/,
  );
  expect(runsOf(setup)).toHaveLength(2);
});

it("a command that can't start is retried only when it is due", async () => {
  const setup = await setUp({ days: 1, zones: 1, playScale: 0.1 });
  // Refused before a run is recorded.
  const environment = { ...setup.environment, VENUE_NOW: "1990-01-01T00:00:00Z" };
  const { child, stderr, finished } = startVenue(["schedule"], { ...setup, environment });
  await expect.poll(() => stderr()).toContain("venue sync devices ended with exit code 2");
  await sleep(300);
  child.kill("SIGTERM");
  expect((await finished).stderr.match(/Starting/g)).toHaveLength(2);
});

it("refuses to start without what every run needs", async () => {
  const setup = await setUp({ days: 1, zones: 1 });
  const environment = { ...setup.environment, VENUE_GROUP_IDS: "" };
  const { code, stderr } = await runVenue(["schedule"], { ...setup, environment });
  expect([code, stderr.slice(0, 33)]).toEqual([2, "venue: VENUE_GROUP_IDS is not set"]);
});

it.each([
  ["--schedule-run", "30 25 * * *"],
  ["--schedule-run", "5:30"],
  ["--schedule-devices", "0 0 30 2 *"],
  ["--schedule-time-zone", "Berlin"],
])("refuses %s %s", async (flag, value) => {
  const setup = await setUp({ days: 1, zones: 1 });
  const { code, stderr } = await runVenue(["schedule", flag, value], setup);
  expect(code).toBe(2);
  expect(stderr).toMatchSnapshot();
});

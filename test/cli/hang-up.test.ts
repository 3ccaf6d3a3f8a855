import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { openDataState } from "../../src/state/data/data-state.ts";
import { hasTerminals, startOnTerminal } from "../support/run-on-terminal.ts";
import { startVenue } from "../support/run-venue.ts";
import { type Setup, setUp } from "../support/service.ts";

/** A sync of this service takes a minute. */
const slow = { days: 1, zones: 2, playScale: 0.1, ratePerSecond: 1 };

function runsOf({ dataFolder }: Setup) {
  const state = openDataState(join(dataFolder, "state.db"));
  try {
    return state.runs.list(9);
  } finally {
    state.close();
  }
}

/** The id of the syncing process. */
async function waitForRun(setup: Setup): Promise<number> {
  const find = () => runsOf(setup).find(({ status }) => status === "running")?.pid;
  return (await vi.waitUntil(find, { timeout: 20_000, interval: 100 })) ?? 0;
}

it.skipIf(process.platform === "win32")(
  "continues if another process's terminal is closed, as with nohup",
  async () => {
    const setup = await setUp(slow);
    const { child, finished } = startVenue(["sync", "devices", "campaigns"], setup);
    expect(await waitForRun(setup)).toBe(child.pid);
    child.kill("SIGHUP");
    await sleep(2_000);
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
    child.kill("SIGTERM");
    expect((await finished).code).toBe(143);
  },
);

it.runIf(hasTerminals)("exits as if terminated when its own terminal is closed", async () => {
  const setup = await setUp(slow);
  const { finished } = startOnTerminal(["sync", "devices", "campaigns"], setup);
  process.kill(await waitForRun(setup), "SIGHUP");
  expect(await finished).toBe(143);
});

import { expect, it } from "vitest";
import { Random } from "../../src/emulator/world/random.ts";
import { share } from "../support/long-suite.ts";
import { runVenue, startVenue } from "../support/run-venue.ts";
import { setUp, trueFigures } from "../support/service.ts";
import { coreFigures } from "./core-figures.ts";
import { countRepeatedPages, countUnanswered } from "./killed-requests.ts";

const kills = share(2, 3, 8);

it("a sync killed at random instants repeatedly ends with exact figures, and requests nothing twice", async () => {
  const setup = await setUp({
    days: 6,
    zones: 3,
    playScale: 0.3,
    pageLimit: 20,
    ratePerSecond: 100,
    exportSeconds: 0.3,
    downloadBytesPerSecond: 400_000,
    // Exports of one kind fail, so that there are both jobs and walks.
    faults: [{ name: "job-fails", endpoint: "POST /v5/ext/data/music" }],
  });
  const { emulator } = setup;
  const args = ["sync", "history", "--mode", "export"];
  const random = new Random(11, "kills");
  const killedAfter: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const target = emulator.requests.length + random.between(1, 25);
    const { child, finished } = startVenue(args, setup);
    let isOver = false;
    finished.then(() => {
      isOver = true;
    });
    while (!isOver && emulator.requests.length < target)
      await new Promise((resolve) => setTimeout(resolve, 1));
    child.kill("SIGKILL");
    await finished;
    killedAfter.push(emulator.requests.length);
  }
  const last = await runVenue(args, setup);
  expect(last.code, last.stderr).toBe(0);
  expect(await coreFigures(setup)).toEqual(trueFigures(emulator.world, emulator.now()));
  // Three failed ones for each of two groups, and otherwise one for each group and kind.
  expect(emulator.jobs.length).toBeLessThanOrEqual(6 + 4 + countUnanswered(setup.dataFolder));
  expect(countRepeatedPages(emulator.requests, killedAfter)).toBeLessThanOrEqual(1);
});

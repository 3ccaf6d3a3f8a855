import { rmSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/emulator/world/random.ts";
import { countUnanswered } from "../pipeline/killed-requests.ts";
import { isAll, share } from "../support/long-suite.ts";
import { canPreload } from "../support/preload-library.ts";
import { startVenue } from "../support/run-venue.ts";
import { publishedFigures } from "../support/service.ts";
import { DailyRun } from "./daily-run.ts";
import { chooseInstants, chooseSteps, runFailing } from "./failing-calls.ts";
import { compareFiles } from "./machine.ts";
import { tryEach } from "./try-each.ts";

/** Number of steps and of random instants. */
const sizes = { steps: share(0, 3, Number.POSITIVE_INFINITY), instants: share(0, 1, 100) };

describe.runIf(canPreload && isAll)("a killed run", () => {
  it("at every step and any instant, is completed by the next one: same figures, no second export, no leftovers", async () => {
    const random = new Random("killed");
    await tryEach({
      what: "killed",
      worlds: DailyRun.ways,
      choose: (calls) => [
        ...chooseSteps(calls, sizes.steps, random),
        ...chooseInstants(calls, sizes.instants, random),
      ],
      attempt: async ({ step, number }, day, unharmed) => {
        const setup = day.machine.copy();
        const jobs = day.emulator.jobs.length;
        const killed = await runFailing(["run"], setup, { at: number, errno: "SIGKILL" });
        // Each run sends requests in another order, so its last calls may not be reached.
        expect([killed.signal, killed.code], step).toEqual(killed.signal ? ["SIGKILL", null] : [null, 0]);
        const unanswered = countUnanswered(setup.dataFolder);
        const seen = await publishedFigures(setup);
        expect([day.before, day.truth], `${step}: what readers see meanwhile`).toContainEqual(seen);
        const again = await startVenue(["run"], setup).finished;
        expect(again.code, `${step}: ${again.stderr}`).toBe(0);
        expect(await publishedFigures(setup), step).toEqual(day.truth);
        const isOver = killed.signal === null || isDeepStrictEqual(seen, day.truth);
        const requested = day.emulator.jobs.slice(jobs).map(({ kind, groupId }) => `${kind} ${groupId}`);
        const exports = new Set(requested).size;
        expect(requested.length, `${step}: ${requested}`).toBeLessThanOrEqual(
          exports * (isOver ? 2 : 1) + unanswered,
        );
        expect(compareFiles(setup.workingFolder, unharmed.files), step).toBe("");
        rmSync(setup.workingFolder, { recursive: true });
        return killed.signal === null ? "ended before" : "finished by the next run";
      },
    });
  });
});

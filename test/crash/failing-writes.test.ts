import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/emulator/world/random.ts";
import { isAll, share } from "../support/long-suite.ts";
import { startVenue } from "../support/run-venue.ts";
import { publishedFigures } from "../support/service.ts";
import { listFiles } from "./daily-run.ts";
import { canFail, chooseSteps, errorNumbers, runFailing } from "./failing-calls.ts";
import { tryEach } from "./try-each.ts";

const count = share(0, 3, Number.POSITIVE_INFINITY);

describe.runIf(canFail && isAll)("a disk that fails a run once", () => {
  it.each(Object.entries(errorNumbers))(
    "with %s, at any step: one clear error or none, readers see a whole version, and the next run is whole",
    async (name, errno) => {
      await tryEach({
        what: name,
        choose: (calls) => chooseSteps(calls, count, new Random(name)),
        attempt: async ({ step, number }, day, unharmed) => {
          const setup = day.copy();
          const failed = await runFailing(["run"], setup, { at: number, errno });
          const told = `${name} at ${step}: ${failed.stderr}`;
          expect(failed.signal, told).toBeNull();
          expect([0, 2, 3, 4], told).toContain(failed.code);
          expect(failed.stderr, told).not.toMatch(/\n {4}at |\[object |undefined/);
          expect([day.before, day.truth], told).toContainEqual(await publishedFigures(setup));
          const again = await startVenue(["run"], setup).finished;
          expect(again.code, `${told}\n${again.stderr}`).toBe(0);
          expect(await publishedFigures(setup), told).toEqual(day.truth);
          expect(listFiles(setup.workingFolder), told).toEqual(unharmed.files);
          rmSync(setup.workingFolder, { recursive: true });
          return `exit ${failed.code}`;
        },
      });
    },
    7_200_000,
  );
});

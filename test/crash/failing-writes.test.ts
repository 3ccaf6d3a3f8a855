import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/emulator/world/random.ts";
import { isAll, share } from "../support/long-suite.ts";
import { canPreload } from "../support/preload-library.ts";
import { startVenue } from "../support/run-venue.ts";
import { publishedFigures } from "../support/service.ts";
import { DailyRun } from "./daily-run.ts";
import { type Call, chooseSteps, errorNumbers, runFailing } from "./failing-calls.ts";
import { compareFiles } from "./machine.ts";
import { tryEach } from "./try-each.ts";

const count = share(0, 3, Number.POSITIVE_INFINITY);

async function failAt(
  name: string,
  errno: number,
  choose: (calls: readonly Call[]) => Call[],
): Promise<void> {
  await tryEach({
    what: name,
    worlds: DailyRun.ways,
    choose,
    attempt: async ({ step, number }, day, unharmed) => {
      const setup = day.machine.copy();
      const failed = await runFailing(["run"], setup, { at: number, errno });
      const told = `${name} at ${step}: ${failed.stderr}`;
      expect(failed.signal, told).toBeNull();
      expect([0, 2, 3, 4], told).toContain(failed.code);
      expect(failed.stderr, told).not.toMatch(/\n {4}at |\[object |undefined/);
      expect([day.before, day.truth], told).toContainEqual(await publishedFigures(setup));
      const again = await startVenue(["run"], setup).finished;
      expect(again.code, `${told}\n${again.stderr}`).toBe(0);
      expect(await publishedFigures(setup), told).toEqual(day.truth);
      expect(compareFiles(setup.workingFolder, unharmed.files), told).toBe("");
      rmSync(setup.workingFolder, { recursive: true });
      return `exit ${failed.code}`;
    },
  });
}

describe.runIf(canPreload && isAll)("a disk that fails once during a run", () => {
  it.each(Object.entries(errorNumbers))(
    "with %s, at any step: at most one clear error, readers see a complete version, and the next run completes",
    (name, errno) => failAt(name, errno, (calls) => chooseSteps(calls, count, new Random(name))),
    7_200_000,
  );

  // DuckDB's message does not name the system's error.
  it("with EIO, while DuckDB waits for the disk: one clear error", async () => {
    await failAt("EIO of DuckDB's sync", errorNumbers.EIO, (calls) => {
      const sync = calls.find(({ step }) => /^sync .*\.parquet/.test(step));
      return sync ? [sync] : [];
    });
  });
});

import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../src/emulator/world/random.ts";
import { isAll, share } from "../support/long-suite.ts";
import { canPreload } from "../support/preload-library.ts";
import { type Finished, startVenue } from "../support/run-venue.ts";
import { dataCommands } from "./data-commands.ts";
import { chooseSteps, errorNumbers, runFailing } from "./failing-calls.ts";
import { compareFiles, Machine, type Recorded } from "./machine.ts";
import { openPreparedWorld, type PreparedWorld } from "./prepared-world.ts";
import { tryEach } from "./try-each.ts";

const count = share(0, 1, Number.POSITIVE_INFINITY);

const causes = Object.entries({ SIGKILL: "SIGKILL", ...errorNumbers } as const);

const cases = causes.flatMap(([cause, errno]) =>
  dataCommands.map((command) => ({ ...command, command, cause, errno })),
);

describe.runIf(canPreload && isAll)("a command that replaces existing data", () => {
  let world: PreparedWorld;
  beforeAll(async () => {
    world = await openPreparedWorld();
  });
  afterAll(async () => await world.close());

  it.each(cases)(
    "$name, at any step $cause: the existing data stays usable, and repeating the command completes it",
    async ({ command, cause, errno }) => {
      const machine = new Machine(world.base, command.prepare);
      await tryEach({
        what: `${command.name}, ${cause}`,
        worlds: {
          [command.name]: async () => ({
            record: async () => {
              const recorded = asOneTable(await machine.record(command.args));
              expect(recorded.calls.length).toBeGreaterThan(50);
              return recorded;
            },
            close: async () => {},
          }),
        },
        choose: (calls) => chooseSteps(calls, count, new Random(`${command.name} ${cause}`)),
        attempt: async ({ step, number }, _world, unharmed) => {
          const setup = machine.copy();
          const cut = await runFailing(command.args, setup, { at: number, errno });
          const told = `${cause} at ${step}: ${cut.stderr}`;
          // SQLite varies by a few writes, so the last calls may not be reached.
          if (cause !== "SIGKILL") assertOneError(cut, told);
          else expect([cut.signal, cut.code], told).toEqual(cut.signal ? ["SIGKILL", null] : [null, 0]);
          const isMade = await command.checkInterrupted(setup, world, cut.signal !== null);
          if (cut.code === 0) await command.checkResult(setup, world);
          const again = await startVenue(command.args, setup).finished;
          const isRefused = isMade && command.refusesOverwriting;
          expect(again.code, `${told}\n${again.stderr}`).toBe(isRefused ? 2 : 0);
          await command.checkResult(setup, world);
          // SQLite removes leftover files next to its database the next time that is opened and closed.
          if (command.refusesOverwriting)
            expect((await startVenue(["runs"], setup).finished).code, told).toBe(0);
          expect(compareFiles(setup.workingFolder, unharmed.files), told).toBe("");
          rmSync(join(setup.workingFolder, ".."), { recursive: true });
          return `${cut.signal ? "killed" : `exit ${cut.code}`}${isMade ? ", when all was done" : ""}`;
        },
      });
    },
    3_600_000,
  );
});

/** A full or broken disk causes one error and exit code 2, or has no effect. */
function assertOneError({ signal, code, stderr }: Finished, told: string): void {
  expect(signal, told).toBeNull();
  expect([0, 2], told).toContain(code);
  expect(stderr, told).not.toMatch(/\n {4}at |\[object |undefined/);
  if (code !== 0) expect(stderr.match(/^venue: /gm), told).toHaveLength(1);
}

/** All files of a version are copied the same way. */
function asOneTable({ calls, files }: Recorded): Recorded {
  const oneTable = calls.map(({ step, number }) => ({ step: step.replace(/(?<=vN\/).*/, "…"), number }));
  return { calls: oneTable, files };
}

import { once } from "node:events";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/emulator/world/random.ts";
import { isAll, share } from "../support/long-suite.ts";
import { canPreload } from "../support/preload-library.ts";
import { type Running, type RunOptions, startVenue } from "../support/run-venue.ts";
import { demoNow, shareDemoData } from "../support/shared-demo.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { reportTrials } from "../support/trial-report.ts";
import { chooseSteps, errorNumbers, recordCalls, startFailing } from "./failing-calls.ts";
import { digestOf } from "./machine.ts";
import { tryEach } from "./try-each.ts";

const sizes = { kills: share(0, 2, 60), steps: share(0, 1, Number.POSITIVE_INFINITY) };

/** Hundreds of thousands of rows, which DuckDB must sort on disk because they exceed its memory limit. */
const download = "single-plays.csv?from=2026-11-01&to=2026-11-20";
const memoryLimit = "64MB";
const pages = ["", "plays", "plays?by=zone", "quality"];

/** Files of SQLite and DuckDB that exist only while someone reads. */
const temporary = /^(\/state\.db-(wal|shm)|\/tmp\/.*)$/;

async function openServed(): Promise<RunOptions> {
  const workingFolder = join(createTempFolder(), "work");
  cpSync(await shareDemoData(), join(workingFolder, "data"), { recursive: true, verbatimSymlinks: true });
  const environment = {
    VENUE_HOME: join(workingFolder, "home"),
    VENUE_NOW: demoNow.toISOString(),
    VENUE_MEMORY_LIMIT: memoryLimit,
    VENUE_THREADS: "1",
  };
  const options = { environment, workingFolder };
  // The first to open the state recovers SQLite's leftover files.
  const served = startVenue(["serve", "--no-token", "--port", "0"], options);
  await ask((await addressOf(served)) as string, "");
  await interrupt(served);
  return options;
}

/** Hashes of the files that even a kill must not change. */
function kept({ workingFolder }: RunOptions): Record<string, string> {
  const files = Object.entries(digestOf(join(workingFolder, "data")));
  return Object.fromEntries(files.filter(([name]) => !temporary.test(name)));
}

/** The server's address once it is ready; `undefined` if it ends before. */
async function addressOf({ child, finished }: Running): Promise<string | undefined> {
  const printed = once(child.stdout as NodeJS.ReadableStream, "data").then(([line]) => String(line).trim());
  return await Promise.race([printed, finished.then(() => undefined)]);
}

interface Answer {
  /** `undefined` if interrupted. */
  status: number | undefined;
  length: number;
}

async function ask(address: string, path: string): Promise<Answer> {
  try {
    const response = await fetch(`${address}${path}`);
    return { status: response.status, length: (await response.text()).length };
  } catch {
    return { status: undefined, length: 0 };
  }
}

async function interrupt({ child, finished }: Running): Promise<void> {
  child.kill("SIGINT");
  expect(await finished).toMatchObject({ code: 130, signal: null });
}

describe.runIf(canPreload && isAll)("pages of a server", () => {
  it("killed at any instant, change nothing, and are served on the same port again", async () => {
    const options = await openServed();
    const before = kept(options);
    const random = new Random("served");
    const happened: Record<string, number> = {};
    let port = "0";
    for (let kill = 0; kill < sizes.kills; kill += 1) {
      const killed = startVenue(["serve", "--no-token", "--port", port], options);
      const address = (await addressOf(killed)) as string;
      port = new URL(address).port;
      const responses = [download, ...pages].map((path) => ask(address, path));
      await setTimeout(random.between(0, 4_000));
      killed.child.kill("SIGKILL");
      expect(await killed.finished).toMatchObject({ signal: "SIGKILL" });
      const whole = (await Promise.all(responses)).filter(({ status }) => status !== undefined).length;
      expect(kept(options)).toEqual(before);
      const next = startVenue(["serve", "--no-token", "--port", port], options);
      expect(await addressOf(next)).toBe(address);
      expect(await ask(address, pages[0] as string)).toMatchObject({ status: 200 });
      await interrupt(next);
      expect(kept(options)).toEqual(before);
      const end = `${whole} of ${responses.length} answers were whole`;
      happened[end] = (happened[end] ?? 0) + 1;
    }
    // Some kills came early enough to interrupt it.
    if (sizes.kills >= 20) expect(Object.keys(happened).length).toBeGreaterThan(1);
    reportTrials("serve, SIGKILL", sizes.kills, happened);
  });

  it.each(Object.entries(errorNumbers))(
    "if a write fails with %s: at most one response fails, and the next ones are complete",
    async (name, errno) => {
      const serve = ["serve", "--no-token", "--port", "0"];
      const paths = ["", download];
      const askAll = async (address: string) => {
        const answers: Answer[] = [];
        for (const path of paths) answers.push(await ask(address, path));
        return answers;
      };
      let whole: readonly Answer[] = [];
      const open = async () => {
        const options = await openServed();
        return {
          options,
          before: kept(options),
          async record() {
            const { calls, code } = await recordCalls(serve, options, async (running) => {
              whole = await askAll((await addressOf(running)) as string);
              running.child.kill("SIGINT");
            });
            expect(code).toBe(130);
            expect(whole).toMatchObject(paths.map(() => ({ status: 200 })));
            return { calls, files: [] };
          },
          close: async () => rmSync(options.workingFolder, { recursive: true }),
        };
      };
      await tryEach({
        what: `serve, ${name}`,
        worlds: { serve: open },
        choose: (calls) => chooseSteps(calls, sizes.steps, new Random(name)),
        attempt: async ({ step, number }, { options, before }) => {
          const told = `${name} at ${step}`;
          const running = await startFailing(serve, options, { at: number, errno });
          const address = (await addressOf(running)) as string;
          expect(address, `${told}: ${running.stderr()}`).toBeDefined();
          const answers = await askAll(address);
          const failed = answers.filter(({ status }) => status !== 200).length;
          expect(failed, told).toBeLessThanOrEqual(1);
          const [, again] = await askAll(address);
          expect(again, `${told}: ${running.stderr()}`).toEqual(whole[1]);
          await interrupt(running);
          expect(running.stderr(), told).not.toMatch(/\n {4}at |\[object |undefined/);
          expect(kept(options), told).toEqual(before);
          return failed === 0 ? "all answers whole" : "one answer failed";
        },
      });
    },
    3_600_000,
  );
});

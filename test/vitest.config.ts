import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const { TESTS } = process.env;
/** For hanging tests, not for slow ones on a busy machine or with thousands of rounds. */
const hangingAfterMs = TESTS === "soak" ? 3 * 3_600_000 : TESTS === "all" ? 1_200_000 : 600_000;

// Tests run in parallel, in a few processes: some of them start servers, databases and whole programs.
export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    pool: "forks",
    // A process runs one file after the other: reloading the program takes longer than most files.
    isolate: false,
    // So what a test sets in its environment must not reach the next one's programs.
    unstubEnvs: true,
    // Tests often wait for servers and processes. Each process takes up to half a GB.
    maxWorkers: availableParallelism() + 2,
    testTimeout: hangingAfterMs,
    hookTimeout: hangingAfterMs,
    // A missing snapshot fails: only --update writes it, here as on a build server.
    update: "none",
    expect: { poll: { timeout: 60_000 } },
    reporters: process.env.TEST_RESULTS
      ? ["default", ["json", { outputFile: process.env.TEST_RESULTS }]]
      : ["default"],
  },
});

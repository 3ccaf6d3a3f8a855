import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const { TESTS } = process.env;
/** For what hangs, not for what is slow on a busy machine, or goes thousands of rounds. */
const hangingAfterMs = TESTS === "soak" ? 3 * 3_600_000 : TESTS === "all" ? 1_200_000 : 600_000;

// Tests run in parallel, in a few processes: some of them start servers, databases and whole programs.
export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    pool: "forks",
    // A process takes one file after the other: to load the program and its libraries anew for each costs more than
    // most files take.
    isolate: false,
    // Tests wait for servers and processes now and then. Each takes up to half a GB.
    maxWorkers: availableParallelism() + 2,
    testTimeout: hangingAfterMs,
    hookTimeout: hangingAfterMs,
    expect: { poll: { timeout: 60_000 } },
    reporters: process.env.TEST_RESULTS
      ? ["default", ["json", { outputFile: process.env.TEST_RESULTS }]]
      : ["default"],
  },
});

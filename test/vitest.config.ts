import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// Tests run in parallel, one process per file: some of them start servers, databases and whole programs.
export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    pool: "forks",
    // Tests wait for servers and processes as much as they compute; left alone, two cores get one worker.
    maxWorkers: Math.max(2, availableParallelism()),
    // For what hangs, not for what is slow on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: process.env.TEST_RESULTS
      ? ["default", ["json", { outputFile: process.env.TEST_RESULTS }]]
      : ["default"],
  },
});

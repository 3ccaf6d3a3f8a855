// Which mutants are made: FILES narrows it to some files, as a glob. BY names folders of tests that have to find them. With
// KEPT, a file, what an earlier run found is read there: what no test found is tried again by tests that are new to it.
const files = process.env.FILES || "src/load/**/*.ts,src/extract/walk/**/*.ts,src/build/**/*.ts";
const kept = process.env.KEPT;
const isOnTrino = (process.env.BY ?? "").split(",").some((name) => name.startsWith("test/trino"));

export default {
  mutate: files.split(","),
  // The words of messages and the names of SQL files: a test that holds each word is one that nobody wants to change.
  mutator: { excludedMutations: ["StringLiteral"] },
  // What is computed while a file is loaded can't be changed from test to test.
  ignoreStatic: true,
  testRunner: "vitest",
  vitest: { configFile: "test/mutants/vitest.config.ts" },
  plugins: ["@stryker-mutator/vitest-runner"],
  coverageAnalysis: "perTest",
  // Each process starts a cluster of its own, which its first run of all tests waits for.
  ...(isOnTrino && { concurrency: 1, dryRunTimeoutMinutes: 20 }),
  incremental: Boolean(kept),
  ...(kept && { incrementalFile: kept }),
  // On a busy machine tests take several times as long: what is slow is not found yet.
  timeoutMS: 40_000,
  reporters: ["progress-append-only", "clear-text"],
  clearTextReporter: { logTests: false, allowColor: false, reportTests: false },
  ignorePatterns: ["docs", "data/*", "!data/reference"],
  // TypeScript 7 has no interface that could rewrite it, and nothing here needs it rewritten.
  tsconfigFile: "none",
  disableTypeChecks: false,
};

// Selects the mutants: FILES narrows them to a glob. BY names folders of tests that must find them. With
// KEPT, a file of an earlier run's results, mutants that no test found are tried again by tests new to it.
const files = process.env.FILES || "src/load/**/*.ts,src/extract/walk/**/*.ts,src/build/**/*.ts";
const kept = process.env.KEPT;
const isOnTrino = (process.env.BY ?? "").split(",").some((name) => name.startsWith("test/trino"));

export default {
  mutate: files.split(","),
  // Message wordings and SQL file names: a test of each word would only get in the way of changes.
  mutator: { excludedMutations: ["StringLiteral"] },
  // Values computed at load time cannot change between tests.
  ignoreStatic: true,
  testRunner: "vitest",
  vitest: { configFile: "test/mutants/vitest.config.ts" },
  plugins: ["@stryker-mutator/vitest-runner"],
  coverageAnalysis: "perTest",
  // Each process starts its own cluster, which its first run of all tests waits for.
  ...(isOnTrino && { concurrency: 1, dryRunTimeoutMinutes: 20 }),
  incremental: Boolean(kept),
  ...(kept && { incrementalFile: kept }),
  // Tests take several times as long on a busy machine; a slow mutant does not count as found.
  timeoutMS: 40_000,
  reporters: ["progress-append-only", "clear-text"],
  clearTextReporter: { logTests: false, allowColor: false, reportTests: false },
  ignorePatterns: ["docs", "data/*", "!data/examples", "!data/reference"],
  // TypeScript 7 has no API to rewrite it, and no rewrite is needed here.
  tsconfigFile: "none",
  disableTypeChecks: false,
};

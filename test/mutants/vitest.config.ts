import { defineConfig } from "vitest/config";

/** Random input takes long: it runs where BY names its file. The rest looks at SQL, or runs what was compiled before. */
const leftOut = ["mutated-*", "random-*", "any-*", "killed-*", "portable-sql", "sql-headers"];

/** Folders or files of tests that are nearest to what is mutated: a mutant that none of them finds has run them all. */
const tests = (process.env.BY || "test/load,test/extract,test/build").split(",");

export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: tests.map((name) =>
      name.endsWith(".test.ts") ? name : `${name}/**/!(${leftOut.join("|")}).test.ts`,
    ),
    globalSetup: ["test/support/global-setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

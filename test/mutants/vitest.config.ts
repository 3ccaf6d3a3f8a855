import { defineConfig } from "vitest/config";

/** Random input takes long and finds other things; the rest looks at SQL, or runs what was compiled before. */
const leftOut = ["mutated-*", "random-*", "any-*", "killed-*", "portable-sql", "sql-headers"];

/** The tests that are nearest to what is mutated: a mutant that none of them finds has run them all. */
const folders = (process.env.BY || "test/load,test/extract,test/build").split(",");

export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: folders.map((folder) => `${folder}/**/*.test.ts`),
    exclude: leftOut.map((name) => `**/${name}.test.ts`),
    globalSetup: ["test/support/global-setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

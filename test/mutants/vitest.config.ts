import { defineConfig } from "vitest/config";

/** Random input takes long: it runs where BY names its file. The rest looks at SQL, or runs what was compiled before. */
const leftOut = ["mutated-*", "random-*", "any-*", "killed-*", "portable-sql", "sql-headers"];

/** Folders or files of tests that are nearest to what is mutated: a mutant that none of them finds has run them all. */
const tests = (process.env.BY || "test/load,test/extract,test/build").split(",");

const isOfTrino = (name: string) => name.startsWith("test/trino");

export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: tests.map((name) => {
      if (/\.(test|trino)\.ts$/.test(name)) return name;
      return `${name}/**/!(${leftOut.join("|")}).${isOfTrino(name) ? "trino" : "test"}.ts`;
    }),
    globalSetup: [
      "test/support/global-setup.ts",
      ...(tests.some(isOfTrino) ? ["test/trino/global-setup.ts"] : []),
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

import { defineConfig } from "vitest/config";

/** Tests with random input are slow: they run if BY names their file. Others check SQL or compiled code. */
const leftOut = ["mutated-*", "random-*", "any-*", "killed-*", "portable-sql", "sql-headers"];

/** Folders or files of tests closest to the mutated code: a mutant that survives has run them all. */
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

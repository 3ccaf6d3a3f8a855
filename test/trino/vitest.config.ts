import { defineConfig } from "vitest/config";
import common from "../vitest.config.ts";

// Runs files one after the other: each cluster takes some gigabytes, and all cores while it starts.
export default defineConfig({
  test: {
    ...common.test,
    include: ["test/trino/**/*.trino.ts"],
    globalSetup: ["test/support/global-setup.ts", "test/trino/global-setup.ts"],
    maxWorkers: 1,
  },
});

import { defineConfig } from "vitest/config";
import common from "../vitest.config.ts";

export default defineConfig({
  test: {
    ...common.test,
    include: ["test/prometheus/**/*.prometheus.ts"],
    globalSetup: ["test/support/global-setup.ts", "test/prometheus/global-setup.ts"],
    maxWorkers: 1,
  },
});

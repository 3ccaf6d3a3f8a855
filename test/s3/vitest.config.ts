import { defineConfig } from "vitest/config";
import common from "../vitest.config.ts";

export default defineConfig({
  test: {
    ...common.test,
    include: ["test/s3/**/*.s3.ts"],
    globalSetup: ["test/support/global-setup.ts", "test/s3/global-setup.ts"],
    maxWorkers: 1,
  },
});

import type { BuildOptions } from "../../src/build/build-mart.ts";
import { silentLogger } from "../../src/util/logger.ts";

export const buildOptions: BuildOptions = {
  version: "v000001",
  builtAt: new Date("2026-11-21T08:00:00Z"),
  softwareVersion: "1.2.3",
  assetDurationUnit: "seconds",
  groupIds: [],
  logger: silentLogger,
};

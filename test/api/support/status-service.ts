import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  createStatusClient,
  type StatusClient,
  type StatusClientOptions,
} from "../../../src/api/status-client.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

/** A fast client of the status API with its own state file, closed when the test ends. */
export function createTestStatusClient(
  options: Partial<StatusClientOptions> & Pick<StatusClientOptions, "statusUrl">,
): StatusClient {
  const client = createStatusClient({
    ratePerSecond: 1000,
    stateFile: join(createTempFolder(), "home", "client.db"),
    retry: { attempts: 3, firstDelayMs: 1 },
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

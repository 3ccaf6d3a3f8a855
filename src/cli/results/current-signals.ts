import { existsSync } from "node:fs";
import { DataFolder } from "../../config/data-folder.ts";
import { ConfigError } from "../../config/settings.ts";
import { NothingPublishedError } from "../../mart/errors.ts";
import { readSignals, type Signals } from "../../report/signals/signals.ts";
import type { CliContext } from "../cli-context.ts";
import { withVersion } from "./print-rows.ts";

/**
 * Reads the signals of the data folder, and of its current version if there is one.
 * @throws {ConfigError} if the folder does not exist
 */
export async function readCurrentSignals(context: CliContext): Promise<Signals> {
  const { settings } = context;
  const now = context.clock().now();
  const { root } = new DataFolder(settings.get("VENUE_DATA_DIR"));
  if (!existsSync(root))
    throw new ConfigError(
      "VENUE_DATA_DIR",
      `The folder ${root} does not exist. Set VENUE_DATA_DIR, or run \`venue run\` first.`,
    );
  let found: Signals | undefined;
  try {
    await withVersion(context, {}, async (mart) => {
      found = await readSignals(settings, mart, now);
    });
  } catch (error) {
    if (!(error instanceof NothingPublishedError)) throw error;
  }
  return found ?? (await readSignals(settings, undefined, now));
}

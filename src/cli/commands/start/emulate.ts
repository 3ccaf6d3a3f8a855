import type { Command } from "commander";
import { type HistoryOrder, historyOrders } from "../../../emulator/options.ts";
import { oneOf, portNumber, wholeNumber } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";

interface EmulateFlags {
  port: number;
  seed: number;
  zones: number;
  days: number;
  order: HistoryOrder;
  exportSeconds: number;
}

export function define(command: Command, context: CliContext): void {
  command
    .option("--port <port>", "TCP port on 127.0.0.1; 0 selects a free one", portNumber, 0)
    .option(
      "--seed <n>",
      "seed of the generated data: the same seed gives the same history",
      wholeNumber(0),
      1,
    )
    .option("--zones <n>", "number of zones", wholeNumber(1), 12)
    .option("--days <n>", "number of days on which zones are open", wholeNumber(1), 60)
    .option(
      "--order <order>",
      "order of history pages: newest, oldest or unsorted",
      oneOf(...historyOrders),
      "newest",
    )
    .option("--export-seconds <s>", "duration of an export", wholeNumber(0), 2)
    .addHelpText(
      "after",
      `
The emulator's clock is fixed at --now (VENUE_NOW; default: the end of the
history). It enforces --rate-per-second.

Example:
  $ venue emulate --port 8080 --now 2026-11-21T12:00:00Z
`,
    )
    .action(async (flags: EmulateFlags) => {
      const { startEmulator } = await import("../../../emulator/emulator.ts");
      const { settings } = context;
      const ratePerSecond = settings.get("VENUE_RATE_PER_SECOND");
      const emulator = await startEmulator({
        ...flags,
        ratePerSecond,
        now: settings.find("VENUE_NOW"),
      });
      // Formatted as a .env file, so the output can be used as one.
      context.print(
        [
          `VENUE_BASE_URL=${emulator.baseUrl}`,
          `VENUE_STATUS_URL=${emulator.statusUrl}`,
          `VENUE_CLIENT_ID=${emulator.clientId}`,
          `VENUE_CLIENT_SECRET=${emulator.clientSecret}`,
          `VENUE_GROUP_IDS=${emulator.world.groupIds.join(",")}`,
          `VENUE_NOW=${emulator.now().toISOString()}`,
          `# One-time code of the client, for venue login: ${emulator.oneTimeCode}`,
          `# Requests beyond ${ratePerSecond} per second get 429. A client at the same rate meets this occasionally, and retries.`,
        ].join("\n"),
      );
      await new Promise<void>((resolve) =>
        context.signal.addEventListener("abort", () => resolve(), { once: true }),
      );
      await emulator.close();
      throw context.signal.reason;
    });
}

import type { Readable } from "node:stream";
import { type Command, Option } from "commander";
import { minutes } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { exitImmediately, explainFailure } from "../../describe-failure.ts";

/** Shorter than in a terminal, because an assistant gives up sooner than a person. */
const defaultMinutes = 5;

export function define(command: Command, context: CliContext): void {
  command
    .addOption(
      new Option("--max-minutes <minutes>", "stop an answer after this many minutes")
        .argParser(minutes)
        .default(defaultMinutes),
    )
    .addHelpText(
      "after",
      "\nAn assistant starts this command itself and speaks the Model Context Protocol\nwith it on stdin and stdout. Its tools only read published data.\n" +
        "\nExample, for the configuration of an assistant:\n  $ venue mcp --data-dir /srv/venue/data\n",
    )
    .action(async ({ maxMinutes }: { maxMinutes: number }) => {
      const { serveMcp } = await import("../../../mcp/serve-mcp.ts");
      const { io, settings, logger, signal } = context;
      if (io.stdin.isTTY) logger.info("Waiting for an assistant on stdin. See `venue mcp --help`.");
      await serveMcp({
        settings,
        logger,
        signal,
        now: () => context.clock().now(),
        explainFailure,
        maxMinutes,
        end: (error) => exitImmediately(error, context),
        stdin: io.stdin as Readable,
        stdout: io.stdout,
      });
      signal.throwIfAborted();
    });
}

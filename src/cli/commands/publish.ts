import { resolve } from "node:path";
import { type Command, Option } from "commander";
import type { PublishTarget } from "../../pipeline/publish.ts";
import { nonEmpty } from "../arguments.ts";
import type { CliContext } from "../cli-context.ts";
import { exitCodes } from "../exit-code.ts";
import { recordedRun } from "../recorded-run.ts";

interface PublishFlags {
  to: string;
  layer: "mart" | "core";
  source?: string;
}

export function define(command: Command, context: CliContext): void {
  command
    .requiredOption(
      "--to <folder>",
      "where to; gets the layout of published/, or of a lake with --layer core",
      nonEmpty,
    )
    .addOption(
      new Option("--layer <layer>", "mart: the published version; core: what was loaded")
        .choices(["mart", "core"])
        .default("mart"),
    )
    .option("--source <name>", "with --layer core: the name of this collecting machine in the lake")
    .addHelpText("after", "\nExample:\n  $ venue publish --to /mnt/share/venue\n")
    .action(async ({ to, layer, source }: PublishFlags, command: Command) => {
      if (layer === "core" && source === undefined) {
        command.error("error: --layer core needs --source, the name of this machine in the lake");
      }
      const { publishInto } = await import("../../pipeline/publish.ts");
      const target = { to: resolve(context.io.workingFolder, to), layer, source } as PublishTarget;
      await recordedRun(context, `publish --to ${to} --layer ${layer}`, async (workspace) => {
        const note = await publishInto(workspace, target);
        return { exitCode: exitCodes.done, note, text: note, summary: target };
      });
    });
}

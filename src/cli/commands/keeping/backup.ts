import { resolve } from "node:path";
import type { Command } from "commander";
import { countOf } from "../../../util/text/words.ts";
import { localPath } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { exitCodes } from "../../exit-code.ts";
import { runRecorded } from "../../run-recorded.ts";

interface BackupFlags {
  to: string;
  withSecret: boolean;
}

export function define(command: Command, context: CliContext): void {
  command
    .requiredOption("--to <folder>", "target folder, which must not exist yet", localPath)
    .option("--with-secret", "also copy credentials.json from VENUE_HOME", false)
    .addHelpText(
      "after",
      `
Copies the warehouse, state.db, reference/, landings waiting to be loaded, and
the published version. During a run, no backup is made (exit code 75), and
during a backup, no run starts; reports still work. To restore it, use
\`venue restore\`.

Example:
  $ venue backup --to "/mnt/backup/venue-$(date +%F)"
`,
    )
    .action(async ({ to, withSecret }: BackupFlags) => {
      const folder = resolve(context.io.workingFolder, to);
      const { backUp } = await import("../../../backup/back-up.ts");
      await runRecorded(context, `backup --to ${to}`, async (workspace) => {
        const { files, plays, made_at, published_version } = await backUp(workspace, {
          to: folder,
          withSecret,
        });
        const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
        const note = `${folder} holds a backup: ${countOf(plays, "play")}, ${countOf(files.length, "file")}, ${(bytes / 1e6).toFixed(1)} MB.`;
        const summary = { to: folder, made_at, published_version, plays, files: files.length, bytes };
        return { exitCode: exitCodes.done, note, text: note, summary };
      });
    });
}

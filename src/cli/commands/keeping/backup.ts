import type { Command } from "commander";
import { countOf } from "../../../util/text/words.ts";
import { folderOrS3Url } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { exitCodes } from "../../exit-code.ts";
import { runRecorded } from "../../run-recorded.ts";

interface BackupFlags {
  to: string;
  withSecret: boolean;
}

export function define(command: Command, context: CliContext): void {
  command
    .requiredOption(
      "--to <target>",
      "a folder or s3://bucket/prefix that is empty or does not exist yet",
      folderOrS3Url,
    )
    .option(
      "--with-secret",
      "also copy credentials.json from VENUE_HOME, and the key that signs proofs",
      false,
    )
    .addHelpText(
      "after",
      `
Copies the warehouse, state.db, reference/, own/ (or VENUE_OWN_DIR), landings
waiting to be loaded, and the published version. During a run, no backup is
made (exit code 75), and during a backup, no run starts; reports still work.
To restore it, use \`venue restore\`.

Examples:
  $ venue backup --to "/mnt/backup/venue-$(date +%F)"
  $ venue backup --to "s3://bucket/venue-$(date +%F)"
`,
    )
    .action(async ({ to, withSecret }: BackupFlags) => {
      const target = context.resolveTarget(to);
      const { backUp } = await import("../../../backup/back-up.ts");
      const mustEncrypt = withSecret && context.settings.get("VENUE_ALLOW_HTTP") !== "1";
      await runRecorded(context, `backup --to ${to}`, async (workspace) => {
        const { files, plays, made_at, published_version } = await backUp(workspace, {
          to: target,
          withSecret,
          mustEncrypt,
        });
        const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
        const note = `Backed up to ${target}: ${countOf(plays, "play")}, ${countOf(files.length, "file")}, ${(bytes / 1e6).toFixed(1)} MB.`;
        const summary = { to: target, made_at, published_version, plays, files: files.length, bytes };
        return { exitCode: exitCodes.done, note, text: note, summary };
      });
    });
}

import { resolve } from "node:path";
import type { Command } from "commander";
import { countOf } from "../../../util/text/words.ts";
import { localPath } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";

interface RestoreFlags {
  from: string;
  replace: boolean;
}

export function define(command: Command, context: CliContext): void {
  command
    .requiredOption("--from <folder>", "what `venue backup` made", localPath)
    .option("--replace", "move an existing data folder aside (renamed, nothing deleted)", false)
    .addHelpText(
      "after",
      `
Every file is compared with its SHA-256 first. A restore is all or nothing. A
secret in the backup is restored only if VENUE_HOME has none.

Example:
  $ venue restore --from /mnt/backup/venue-2026-11-21
`,
    )
    .action(async ({ from, replace }: RestoreFlags) => {
      const { restore } = await import("../../../backup/restore.ts");
      const { settings, io, signal } = context;
      const to = settings.get("VENUE_DATA_DIR");
      const home = settings.get("VENUE_HOME");
      const folder = resolve(io.workingFolder, from);
      const restored = await restore({ from: folder, to, home, replace, signal });
      const { manifest, aside, secret, isPublishedDamaged } = restored;
      const { made_at, plays, published_version } = manifest;
      const lines = [
        `${to} is what it was at ${made_at}: ${countOf(plays, "play")}, ${published_version ?? "nothing"} published.`,
        ...(aside ? [`What was there is in ${aside} now.`] : []),
        ...(secret === "stored" ? [`The secret is in ${home}.`] : []),
        ...(secret === "left" ? [`${home} had a secret already, which was left as it is.`] : []),
        ...(isPublishedDamaged
          ? [
              `Files of ${published_version} were damaged before: write them anew with \`venue build --full\`.`,
            ]
          : []),
        "Collect what came since: `venue run`.",
      ];
      const summary = {
        to,
        made_at,
        plays,
        published_version,
        aside: aside ?? null,
        secret: secret ?? null,
        is_published_damaged: isPublishedDamaged,
      };
      context.printResult(summary, lines.join("\n"));
    });
}

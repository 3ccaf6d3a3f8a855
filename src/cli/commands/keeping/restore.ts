import { existsSync } from "node:fs";
import type { Command } from "commander";
import { DataFolder } from "../../../config/data-folder.ts";
import { openStorage } from "../../../storage/open-storage.ts";
import { countOf } from "../../../util/text/words.ts";
import { folderOrS3Url } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";

interface RestoreFlags {
  from: string;
  replace: boolean;
}

export function define(command: Command, context: CliContext): void {
  command
    .requiredOption(
      "--from <backup>",
      "folder or s3://bucket/prefix created by `venue backup`",
      folderOrS3Url,
    )
    .option("--replace", "move an existing data folder aside (renamed, nothing deleted)", false)
    .addHelpText(
      "after",
      `
Every file's SHA-256 is verified first. A restore is all or nothing. A
secret in the backup is restored only if VENUE_HOME has none.

Example:
  $ venue restore --from /mnt/backup/venue-2026-11-21
`,
    )
    .action(async ({ from, replace }: RestoreFlags) => {
      const { restore } = await import("../../../backup/restore.ts");
      const { settings, signal } = context;
      const to = settings.get("VENUE_DATA_DIR");
      const home = settings.get("VENUE_HOME");
      const backup = await openStorage(context.resolveTarget(from), { signal });
      const { manifest, aside, secret, lostProofKey, isPublishedDamaged, disabledTokens } = await restore({
        from: backup,
        to,
        home,
        replace,
        signal,
      });
      const { made_at, plays, published_version } = manifest;
      const own = settings.find("VENUE_OWN_DIR");
      const hasOwn = manifest.files.some(({ path }) => path.startsWith("own/"));
      const lines = [
        `${to} is restored to its state at ${made_at}: ${countOf(plays, "play")}, ${published_version ?? "nothing"} published.`,
        ...(aside ? [`Its previous content is now in ${aside}.`] : []),
        ...(own !== undefined && hasOwn
          ? [`Custom reports and checks are in ${to}/own. Move them to ${own}, or unset VENUE_OWN_DIR.`]
          : []),
        ...(secret === "stored" ? [`The secret is in ${home}.`] : []),
        ...(secret === "left" ? [`${home} already had a secret, which was not changed.`] : []),
        ...(lostProofKey === undefined
          ? []
          : [
              `The backup lacks the key that signs proofs (${lostProofKey}), so the next proof makes a new one. Older proofs are verified with the old public key only.${aside && existsSync(new DataFolder(aside).proofKey) ? ` To keep using the key of the previous content, first copy proof-key.pem from ${aside} to ${to}.` : ""}`,
            ]),
        ...(isPublishedDamaged
          ? [
              `Files of ${published_version} were already damaged when the backup was made. Rewrite them with \`venue build --full\`.`,
            ]
          : []),
        ...(disabledTokens.length > 0
          ? [
              `Disabled, because these tokens may have been removed since the backup: ${disabledTokens.join(", ")}. If not: venue serve token enable ${disabledTokens.join(" ")}`,
            ]
          : []),
        "To collect newer data, run `venue run`.",
      ];
      const summary = {
        to,
        made_at,
        plays,
        published_version,
        aside: aside ?? null,
        secret: secret ?? null,
        lost_proof_key: lostProofKey ?? null,
        is_published_damaged: isPublishedDamaged,
        disabled_tokens: disabledTokens,
      };
      context.printResult(summary, lines.join("\n"));
    });
}

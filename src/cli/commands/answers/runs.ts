import { existsSync } from "node:fs";
import type { Command } from "commander";
import { DataFolder } from "../../../config/data-folder.ts";
import { wholeNumber } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";

export function define(command: Command, context: CliContext): void {
  command
    .option("--limit <n>", "maximum number of runs", wholeNumber(1), 20)
    .addHelpText("after", "\nExample:\n  $ venue runs --limit 5\n")
    .action(async ({ limit }: { limit: number }) => {
      const { openDataState } = await import("../../../state/data/data-state.ts");
      const { parseStored } = await import("../../../state/sqlite.ts");
      const { root, stateFile } = new DataFolder(context.settings.get("VENUE_DATA_DIR"));
      const none = `No runs yet in ${root}.`;
      if (!existsSync(stateFile)) return context.printResult({ runs: [] }, none);
      const state = openDataState(stateFile);
      try {
        const runs = state.runs.list(limit).map(({ summary, ...run }) => ({
          ...run,
          summary: summary === null ? null : parseStored(stateFile, summary),
        }));
        const lines = runs.map(
          ({ run_id, started_at, status, exit_code, command, note }) =>
            `${run_id}  ${started_at}  ${status.padEnd(11)}  exit ${exit_code ?? "–"}  ${command}${note ? `: ${note.split("\n", 1)[0]}` : ""}`,
        );
        context.printResult({ runs }, lines.join("\n") || none);
      } finally {
        state.close();
      }
    });
}

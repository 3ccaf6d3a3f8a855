import { type Command, Option } from "commander";
import { DataFolder } from "../../../config/data-folder.ts";
import { rejectSentences } from "../../../report/text/titles.ts";
import { countOf } from "../../../util/text/words.ts";
import { oneOf, wholeNumber } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";

interface RejectsFlags {
  load?: number;
  reason?: string;
  limit: number;
}

export function define(command: Command, context: CliContext): void {
  command
    .option("--load <id>", "only rejected lines of this load", wholeNumber(1))
    .option(
      "--reason <reason>",
      "only rejected lines with this reason, e.g. invalid_json",
      oneOf(...Object.keys(rejectSentences)),
    )
    .addOption(new Option("--limit <n>", "maximum number of lines").argParser(wholeNumber(1)).default(100))
    .addHelpText("after", "\nExample:\n  $ venue rejects --reason invalid_timestamp\n")
    .action(async (flags: RejectsFlags) => {
      const { listRejects } = await import("../../../load/history/list-rejects.ts");
      const { rejects, total } = await listRejects(context.settings, flags);
      const lines = rejects.map(
        ({ load_id, source, line_number, reason, line }) =>
          `load ${load_id} (${source}), line ${line_number}: ${reason}: ${line}`,
      );
      const { root } = new DataFolder(context.settings.get("VENUE_DATA_DIR"));
      const all = total === 0 ? `0 rejected lines in ${root}.` : `${countOf(total, "rejected line")}.`;
      const count = total > rejects.length ? `The first ${rejects.length} of ${total} rejected lines.` : all;
      const { formatInstant } = await import("../../../report/text/cell-text.ts");
      const reasons = Object.fromEntries(
        rejects.map(({ reason }) => [reason, rejectSentences[reason] ?? reason] as const),
      );
      const legend = Object.entries(reasons).map(([reason, sentence]) => `${reason}: ${sentence}`);
      const listed = rejects.map((reject) => ({ ...reject, loaded_at: formatInstant(reject.loaded_at) }));
      context.printResult({ rejects: listed, total, reasons }, [...lines, count, ...legend].join("\n"));
    });
}

import type { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { formatWord, outputOptions, printReport, type ReportTarget } from "../results/print-report.ts";

interface QueryFlags extends Omit<ReportTarget, "format" | "settings"> {
  format?: string;
}

export function define(command: Command, context: CliContext): void {
  for (const option of outputOptions()) command.addOption(option);
  command
    .argument("<select>", "one select; the tables are described in published/current/dictionary.html")
    .addHelpText(
      "after",
      '\nExample:\n  $ venue query "select kind, sum(plays) as plays from fact_play_day group by kind" --format csv\n',
    )
    .action(async (sql: string, { format, ...output }: QueryFlags) => {
      const { parseOutputFormat } = await import("../../report/options/output-format.ts");
      const { runQuery } = await import("../../report/query/run-query.ts");
      const words = { ...formatWord(context, format), ...output };
      const target = { ...output, format: parseOutputFormat(words) };
      await printReport(context, target, (mart) => runQuery(mart, sql));
    });
}

import type { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { asOfOption, formatOption, formatWord, printReport } from "../results/print-report.ts";

export function define(command: Command, context: CliContext): void {
  command
    .argument("<select>", "one select; the tables are described in published/current/dictionary.html")
    .addOption(formatOption())
    .addOption(asOfOption())
    .option("--out <file>", "write to a file instead of stdout: its ending names the format")
    .addHelpText(
      "after",
      '\nExample:\n  $ venue query "select kind, sum(plays) as plays from fact_play_day group by kind" --format csv\n',
    )
    .action(async (sql: string, { format, out, asOf }: { format?: string; out?: string; asOf?: string }) => {
      const { parseOutputFormat } = await import("../../report/options/output-format.ts");
      const { runQuery } = await import("../../report/query/run-query.ts");
      const output = out === undefined ? {} : { out };
      const target = {
        format: parseOutputFormat({ ...formatWord(context, format), ...output }),
        ...output,
        ...(asOf === undefined ? {} : { asOf }),
      };
      await printReport(context, target, (mart) => runQuery(mart, sql));
    });
}

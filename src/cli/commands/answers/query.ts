import { type Command, Option } from "commander";
import { minutes } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { reportFailure } from "../../report-failure.ts";
import { chooseFormat, outputOptions, printReport, type ReportTarget } from "../../results/print-report.ts";

interface QueryFlags extends Omit<ReportTarget, "format" | "settings"> {
  format?: string;
  maxMinutes: number;
}

/** Without a limit, a statement that never ends, such as unbounded recursion, would use a core forever. */
const defaultMinutes = 60;

export function define(command: Command, context: CliContext): void {
  for (const option of outputOptions()) command.addOption(option);
  command
    .argument("<select>", "one select statement; published/current/dictionary.html describes the tables")
    .addOption(
      new Option("--max-minutes <minutes>", "stop after this many minutes")
        .argParser(minutes)
        .default(defaultMinutes),
    )
    .addHelpText(
      "after",
      '\nExample:\n  $ venue query "select kind, sum(plays) as plays from fact_play_day group by kind" --format csv\n',
    )
    .action(async (sql: string, { format, maxMinutes, ...output }: QueryFlags) => {
      const { parseOutputFormat } = await import("../../../report/options/output-format.ts");
      const { runQuery } = await import("../../../report/query/run-query.ts");
      const target = {
        ...output,
        format: parseOutputFormat({ ...chooseFormat(context, format), ...output }),
      };
      const { QueryLimits } = await import("./query-limits.ts");
      const bounds = new QueryLimits(context.settings, maxMinutes, (error) =>
        exitImmediately(error, context),
      );
      try {
        await printReport(context, { ...target, limit: bounds.signal }, (mart) => runQuery(mart, sql));
      } finally {
        bounds.stop();
      }
    });
}

/**
 * Kills the process, because Node would exit only after its threads finish. Incomplete files keep their
 * temporary names.
 */
function exitImmediately(error: unknown, context: CliContext): void {
  reportFailure(error, context);
  process.kill(process.pid, "SIGKILL");
}

import { type Command, Option } from "commander";
import { QueryLimits } from "../../../util/query-limits.ts";
import { countOf } from "../../../util/text/words.ts";
import { minutes } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { exitImmediately } from "../../describe-failure.ts";
import { chooseFormat, outputOptions, printReport, type ReportTarget } from "../../results/print-rows.ts";

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
      const bounds = new QueryLimits({
        memoryLimit: context.settings.get("VENUE_MEMORY_LIMIT"),
        maxMs: maxMinutes * 60_000,
        tooLong: `The query did not end within ${countOf(maxMinutes, "minute")}, and was stopped. Narrow the query, or allow more time with --max-minutes.`,
        end: (error) => exitImmediately(error, context),
      });
      try {
        await printReport(context, { ...target, limit: bounds.signal }, (mart) => runQuery(mart, sql));
      } finally {
        bounds.stop();
      }
    });
}

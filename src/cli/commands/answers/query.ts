import { type Command, Option } from "commander";
import { VenueError } from "../../../util/venue-error.ts";
import { minutes } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { formatWord, outputOptions, printReport, type ReportTarget } from "../../results/print-report.ts";

interface QueryFlags extends Omit<ReportTarget, "format" | "settings"> {
  format?: string;
  maxMinutes: number;
}

/** A statement that never ends, such as a recursion without a bound, would keep a processor busy for ever. */
const defaultMinutes = 60;

export function define(command: Command, context: CliContext): void {
  for (const option of outputOptions()) command.addOption(option);
  command
    .argument("<select>", "one select; the tables are described in published/current/dictionary.html")
    .addOption(
      new Option("--max-minutes <minutes>", "give up after this many minutes")
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
      const words = { ...formatWord(context, format), ...output };
      const limit = AbortSignal.timeout(maxMinutes * 60_000);
      const target = { ...output, format: parseOutputFormat(words), limit };
      await printReport(context, target, (mart) => runQuery(mart, sql)).catch((error: unknown) => {
        throw limit.aborted && error === limit.reason ? new QueryTooLongError(maxMinutes) : error;
      });
    });
}

class QueryTooLongError extends VenueError {
  override readonly name = "QueryTooLongError";
  readonly code = "QUERY_TOO_LONG";
  readonly category = "usage";

  constructor(minutes: number) {
    super(
      `The query did not end within ${minutes} minutes, and was stopped. Ask for less, or allow more with --max-minutes.`,
    );
  }
}

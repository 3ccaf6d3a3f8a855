import { Command, Option } from "commander";
import { formatNames } from "../../report/formats.ts";
import type { ReportWords } from "../../report/parse-report-options.ts";
import { reports } from "../../report/reports.ts";
import { collect } from "../arguments.ts";
import type { CliContext } from "../cli-context.ts";
import { printReport } from "../print-report.ts";

const formats = `${formatNames.join(", ")} (default: table)`;

export function reportCommand(context: CliContext): Command {
  const listing = Object.entries(reports).map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`);
  const byWords = [...new Set(Object.values(reports).flatMap((report) => report.byWords))];
  return new Command("report")
    .description("print a report of what is published")
    .argument("<name>", `one of ${Object.keys(reports).join(", ")}`)
    .option("--from <date>", "first local date, inclusive (default: the last 28 complete days)")
    .option("--to <date>", "last local date, inclusive")
    .option("--by <words>", `one row for each: ${byWords.join(", ")}; commas between`, collect)
    .option("--group <ids>", "only these groups", collect)
    .option("--zone <ids>", "only these zones", collect)
    .option("--location <ids>", "only these locations", collect)
    .option("--kind <kinds>", "only these kinds", collect)
    .option("--top <n>", "only the n largest rows")
    .option("--format <format>", formats)
    .option("--out <file>", "write to a file instead of stdout")
    .addHelpText(
      "after",
      `\nReports:\n${listing.join("\n")}\n\nExample:\n  $ venue report plays --by item --top 20 --kind music\n`,
    )
    .action(async (report: string, { out, ...words }: Omit<ReportWords, "report"> & { out?: string }) => {
      const { parseReportOptions } = await import("../../report/parse-report-options.ts");
      const { runReport } = await import("../../report/run-report.ts");
      const options = parseReportOptions({ report, ...words });
      const target = { format: options.format, ...(out === undefined ? {} : { out }) };
      await printReport(context, target, (mart) => runReport(mart, options, context.clock().now()));
    });
}

/** Shared with `query`. */
export function formatOption(): Option {
  return new Option("--format <format>", formats);
}

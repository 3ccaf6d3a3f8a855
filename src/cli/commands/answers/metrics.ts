import { resolve } from "node:path";
import type { Command } from "commander";
import { localPath } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";

export function define(command: Command, context: CliContext): void {
  command
    .option("--out <file>", "write to this file atomically; its name must end with .prom", localPath)
    .addHelpText(
      "after",
      "\nThe format is OpenMetrics. `venue serve` returns the same at /metrics.\n" +
        "\nExample, for node_exporter's textfile collector:\n" +
        "  $ venue metrics --out /var/lib/prometheus/node-exporter/venue.prom\n",
    )
    .action(async ({ out }: { out?: string }) => {
      if (out !== undefined && !out.endsWith(".prom"))
        command.error(`error: node_exporter reads only files that end with .prom, not ${out}`);
      const { readCurrentSignals } = await import("../../results/current-signals.ts");
      const { formatMetrics } = await import("../../../report/signals/metrics.ts");
      const text = formatMetrics(await readCurrentSignals(context));
      if (out === undefined) return context.print(text);
      const { writeWholeFile } = await import("../../../report/format/write-report.ts");
      const file = resolve(context.io.workingFolder, out);
      await writeWholeFile(file, text);
      context.logger.info(`Written to ${file}`);
    });
}

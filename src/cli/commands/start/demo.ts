import { basename, join, relative } from "node:path";
import type { Command } from "commander";
import { customFolderOf, proofKeyFileOf } from "../../../config/data-folder.ts";
import type { Settings } from "../../../config/settings.ts";
import { syncTopics } from "../../../extract/sync-topic.ts";
import type { TypedOptions } from "../../../report/options/parse-request.ts";
import { quoteForShell } from "../../../util/text/escaping.ts";
import { defaultKeepLandingDays } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { describeRun, runExitCode } from "../../results/describe-run.ts";
import { printReport } from "../../results/print-rows.ts";
import { openWorkspace, runRecorded } from "../../run-recorded.ts";

const shownReports: TypedOptions[] = [
  { report: "plays", by: ["zone", "kind"] },
  { report: "plays", by: ["region"] },
  { report: "compliance", by: ["campaign"] },
  { report: "uptime", by: ["zone"] },
  { report: "quality" },
];

export function define(command: Command, context: CliContext): void {
  command.addHelpText("after", "\nExample:\n  $ venue demo\n").action(async () => {
    const { parseReportOptions } = await import("../../../report/options/parse-report-options.ts");
    const { runReport } = await import("../../../report/run-report.ts");
    const { demo } = await import("../../../pipeline/demo.ts");
    const { run } = await import("../../../pipeline/run.ts");
    const own = {
      settings: context.settings,
      keepLandingDays: defaultKeepLandingDays,
      openWorkspace: (settings: Settings) => openWorkspace(context, settings),
    };
    await demo(own, async ({ settings, folder, now }) => {
      await runRecorded(
        context,
        "demo",
        async (workspace) => {
          const result = await run(workspace, {
            topics: syncTopics,
            keepLandingDays: defaultKeepLandingDays,
            reports: {},
            extraReports: [{ report: "plays", by: ["region"], file: "plays-by-region" }],
          });
          return { ...describeRun(result), exitCode: runExitCode(result) };
        },
        settings,
      );
      await proveOne(context, settings, join(folder, "proof.html"), now);
      if (context.options.json) return;
      for (const words of shownReports) {
        context.print("");
        const options = parseReportOptions(words);
        const target = { format: options.format, settings };
        await printReport(context, target, (mart) => runReport(mart, options, now));
      }
      const program = detectProgramName();
      context.print(
        [
          `\nEverything is in ${folder}: published/current for BI tools, reports/ for people, proof.html for an advertiser.`,
          "Commands on this data need its folder and date. Set them in a new terminal, and start the pages:",
          `  export VENUE_DATA_DIR=${quoteForShell(folder)} VENUE_NOW=${now.toISOString().replace(".000Z", "Z")}`,
          `  ${program} serve`,
          ...(program === "venue" ? [] : [`For \`venue\` above, write: ${program}`]),
        ].join("\n"),
      );
    });
  });
}

/** Writes a proof of play for one of the demo's campaigns. */
async function proveOne(
  { signal, logger }: CliContext,
  settings: Settings,
  file: string,
  now: Date,
): Promise<void> {
  const { buildProof, parseProofOptions } = await import("../../../report/proof/build-proof.ts");
  const { readBrand } = await import("../../../report/proof/brand.ts");
  const { writeProof } = await import("../../../report/proof/write-proof.ts");
  const { withVersionOf } = await import("../../../report/published/with-version-of.ts");
  const { obtainProofKey } = await import("../../../config/proof-key.ts");
  const request = parseProofOptions({ kind: ["signage"], campaign: ["13"] });
  const brand = readBrand(customFolderOf(settings));
  await withVersionOf(settings, { signal, logger }, async (mart) => {
    const key = obtainProofKey(proofKeyFileOf(settings));
    await writeProof(file, await buildProof(mart, request, brand, now), key);
  });
}

/** Returns the command that starts this program, whether it is installed or not. */
function detectProgramName(): string {
  const [, script = ""] = process.argv;
  return basename(script) === "venue" ? "venue" : `node ${quoteForShell(relative(process.cwd(), script))}`;
}

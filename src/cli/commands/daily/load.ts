import { resolve } from "node:path";
import { Argument, type Command, Option } from "commander";
import type { LoadResult } from "../../../load/history/load-history.ts";
import { type Kind, kinds } from "../../../util/kind.ts";
import { countOf } from "../../../util/text/words.ts";
import { folderOrS3Url, keepLandingOption, localPaths, oneOf, takeOverOption } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { combineExitCodes, findingIf } from "../../exit-code.ts";
import {
  describeLoad,
  describeRejectedLoad,
  findFullyRejectedLoads,
  loadsExitCode,
  summarizeLoad,
} from "../../results/describe-load.ts";
import { describeStoreLoad } from "../../results/describe-sync.ts";
import { runRecorded } from "../../run-recorded.ts";

export function define(command: Command, context: CliContext): void {
  command
    .addArgument(
      new Argument("[file...]", "history files, all of one kind; - reads stdin (plain or gzip)").argParser(
        localPaths,
      ),
    )
    .addOption(
      new Option("--kind <kind>", `kind of history in the files: ${kinds.join(", ")}`).argParser(
        oneOf(...kinds),
      ),
    )
    .option(
      "--from <store>",
      "load from this landing store, a folder or s3://bucket/prefix, instead of files [VENUE_LANDINGS]",
      folderOrS3Url,
    )
    .option(
      "--lake <lake>",
      "take over a lake that version 0.2 published (a folder or s3://bucket/prefix)",
      folderOrS3Url,
    )
    .addOption(keepLandingOption("landings in the store"))
    .addOption(takeOverOption())
    .addHelpText(
      "after",
      "\nExamples:\n  $ venue load music-2025.jsonl.gz --kind music\n  $ ssh archive cat signage.jsonl.gz | venue load - --kind signage\n  $ venue load --from s3://bucket/landings\n  $ venue load --lake /mnt/lake\n",
    )
    .action(async (files: string[] = [], { kind, from, lake, ...flags }: LoadFlags) => {
      if (lake !== undefined) {
        if (files.length > 0 || kind !== undefined || from !== undefined)
          command.error("error: --lake takes neither files nor --kind or --from: load these separately");
        return await loadLake(context, lake);
      }
      if (files.length === 0) return await loadStore(command, context, { from, ...flags });
      if (from !== undefined)
        command.error("error: --from loads from a landing store, so it can't be combined with files");
      if (kind === undefined) command.error(`error: --kind is missing: one of ${kinds.join(", ")}`);
      const { loadFiles, stdinName } = await import("../../../load/files/load-files.ts");
      const { stdin, workingFolder } = context.io;
      const paths = files.map((file) => (file === stdinName ? file : resolve(workingFolder, file)));
      const times = files.filter((file) => file === stdinName).length;
      if (times > 1) command.error("error: - was given twice, but stdin can be read only once");
      if (times > 0 && stdin.isTTY)
        command.error("error: - reads stdin, which is a terminal: pipe the lines in");
      await runRecorded(context, `load ${files.join(" ")} --kind ${kind}`, async (workspace) => {
        const loads: LoadResult[] = [];
        const notes: string[] = [];
        let reference: string[];
        try {
          reference = await loadFiles(workspace, {
            ...{ files: paths, stdin, kind },
            onLoad: (load) => loads.push(load),
            onNote: (note) => notes.push(note),
          });
        } catch (error) {
          // Only prints the finished loads; the caller reports the error and records the run.
          if (loads.length > 0) {
            const { text, problems, summary } = describeLoads(loads);
            const [loaded, others] = [files.slice(0, loads.length), files.slice(loads.length)];
            workspace.progress.clear();
            context.printResult(summary, text);
            for (const problem of [...notes, ...problems]) context.logger.warn(problem);
            context.logger.warn(`Loaded: ${loaded.join(", ")}. Not loaded: ${others.join(", ")}.`);
          }
          throw error;
        }
        const { problems, exitCode, ...outcome } = describeLoads(loads);
        return {
          ...outcome,
          problems: [...notes, ...problems, ...reference],
          exitCode: combineExitCodes([exitCode, findingIf(reference.length > 0)]),
        };
      });
    });
}

interface LoadFlags {
  kind?: Kind;
  from?: string | undefined;
  lake?: string;
  keepLanding: number;
  takeOver: boolean;
}

async function loadStore(
  command: Command,
  context: CliContext,
  { from, keepLanding, takeOver }: LoadFlags,
): Promise<void> {
  const store = context.findLandingStore(from);
  if (store === undefined)
    command.error("error: Name history files, or a landing store with --from or VENUE_LANDINGS");
  const { loadFromStore } = await import("../../../pipeline/load-from-store.ts");
  await runRecorded(context, `load --from ${store}`, async (workspace) =>
    describeStoreLoad(
      await loadFromStore(workspace, { from: store, keepLandingDays: keepLanding, takeOver }),
    ),
  );
}

async function loadLake(context: CliContext, lake: string): Promise<void> {
  const { takeOverLake } = await import("../../../pipeline/take-over-lake.ts");
  await runRecorded(context, `load --lake ${lake}`, async (workspace) => {
    const { machines, loads, listings, known, referenceProblems, lacking } = await takeOverLake(
      workspace,
      context.resolveTarget(lake),
    );
    const taken = `${countOf(loads, "load")} and ${countOf(listings, "listing")}`;
    const text = `Took over ${taken} of ${machines.join(", ")}; ${known} were loaded before. Run \`venue build\` next.`;
    return {
      exitCode: findingIf(referenceProblems.length > 0),
      note: text,
      text,
      problems: [...referenceProblems, ...lacking],
      summary: { machines, loads, listings, known, lacking_reference: lacking },
    };
  });
}

function describeLoads(loads: readonly LoadResult[]) {
  return {
    exitCode: loadsExitCode(loads),
    note: `${countOf(loads.length, "file")} loaded`,
    text: loads.map(describeLoad).join("\n"),
    problems: findFullyRejectedLoads(loads).map(describeRejectedLoad),
    summary: { loads: loads.map(summarizeLoad) },
  };
}

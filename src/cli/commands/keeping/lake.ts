import { type Command, Option } from "commander";
import type { MachineStatus } from "../../../lake/describe-lake.ts";
import type { PastVersion } from "../../../mart/shown-versions.ts";
import { formatRows } from "../../../report/format/table/format-rows.ts";
import type { ReportColumn, ReportRow } from "../../../report/report.ts";
import { formatInstant } from "../../../report/text/cell-text.ts";
import { openStorage } from "../../../storage/open-storage.ts";
import { isS3Url } from "../../../storage/s3-url.ts";
import { countOf, formatDuration } from "../../../util/text/words.ts";
import { folderOrS3Url, wholeNumber } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { getExitCode } from "../../exit-code.ts";

interface LakeFlags {
  lake: string;
}

const statusExample = "\nExample:\n  $ venue lake status --lake /mnt/lake\n";

export function define(command: Command, context: CliContext): void {
  defineHistory(command, context);
  command
    .addHelpText("after", statusExample)
    .command("status")
    .description("list each machine's published months, plays, size and age")
    .addOption(createLakeOption())
    .addHelpText("after", statusExample)
    .action(async ({ lake }: LakeFlags) => {
      const { describeLake } = await import("../../../lake/describe-lake.ts");
      const storage = await openStorage(context.resolveTarget(lake));
      const { machines, problems } = await describeLake(storage);
      const now = context.clock().now();
      context.printResult(
        summarizeLakeStatus(machines, now),
        await describeLakeStatus(machines, now, context.io.stdout.columns),
      );
      for (const problem of problems) {
        context.logger.warn(problem.message);
        context.exitCode = Math.max(context.exitCode, getExitCode(problem));
      }
    });
  command
    .command("forget")
    .description("permanently remove everything that a machine has published to the lake")
    .argument("<source>", "the machine's name")
    .addOption(createLakeOption())
    .addHelpText(
      "after",
      "\nReaders with that machine's files open get an error. Nothing on the machine itself changes.\n\nExample:\n  $ venue lake forget west --lake /mnt/lake\n",
    )
    .action(async (source: string, { lake }: LakeFlags) => {
      const { forgetMachine } = await import("../../../publish/lake/machine-folders.ts");
      const { forgetStoredMachine } = await import("../../../publish/lake/forget-stored-machine.ts");
      const target = context.resolveTarget(lake);
      const { files, bytes } = isS3Url(target)
        ? await forgetStoredMachine(await openStorage(target), source)
        : await forgetMachine(target, source);
      context.printResult(
        { lake: target, source, files, bytes },
        `${target} no longer has ${source}: ${countOf(files, "file")}, ${toMegabytes(bytes)} MB were removed.`,
      );
    });
}

function defineHistory(command: Command, context: CliContext): void {
  command
    .command("history")
    .description("list the versions that Trino has published, for --as-of; newest first")
    .addOption(new Option("--top <n>", "only the n newest").argParser(wholeNumber(1)).default(30))
    .addHelpText("after", "\nExample:\n  $ venue lake history --nessie-url https://nessie.example\n")
    .action(async ({ top }: { top: number }) => {
      const { connectNessie } = await import("../../../engines/connect-cluster.ts");
      const { listShown } = await import("../../../mart/shown-versions.ts");
      const nessie = connectNessie(context.settings, context.logger);
      const versions: PastVersion[] = [];
      try {
        for await (const version of listShown(nessie)) {
          versions.push(version);
          if (versions.length === top) break;
        }
      } finally {
        nessie.close();
      }
      context.printResult(summarizeHistory(versions), describeHistory(versions));
    });
}

function createLakeOption(): Option {
  return new Option("--lake <lake>", "the lake's folder or s3://bucket/prefix")
    .argParser(folderOrS3Url)
    .makeOptionMandatory();
}

export function describeHistory(versions: readonly PastVersion[]): string {
  if (versions.length === 0) return "Trino has shown no version yet. Run `venue build --engine trino`.";
  return versions
    .map(({ version, shownAt, dataAsOf, softwareVersion }) => {
      const data = dataAsOf === null ? "no history" : `data as of ${dataAsOf} UTC`;
      return `${version}  shown ${shownAt.slice(0, 19).replace("T", " ")} UTC  ${data}  built by ${softwareVersion}`;
    })
    .join("\n");
}

export function summarizeHistory(versions: readonly PastVersion[]): object[] {
  return versions.map(({ version, shownAt, dataAsOf, softwareVersion, at }) => ({
    version,
    shown_at: shownAt,
    data_as_of: dataAsOf === null ? null : `${dataAsOf.replace(" ", "T")}Z`,
    software_version: softwareVersion,
    commit: at.hash,
  }));
}

const columns: readonly ReportColumn[] = [
  { name: "source", type: "text" },
  { name: "from", type: "text" },
  { name: "to", type: "text" },
  { name: "plays", type: "integer" },
  { name: "rows", type: "integer" },
  { name: "MB", type: "number" },
  { name: "published", type: "text" },
  { name: "data_as_of", type: "instant" },
];

/** Formats each machine's data in a lake as a table. @param width the terminal's width, if there is one */
export async function describeLakeStatus(
  machines: readonly MachineStatus[],
  now: Date,
  width: number | undefined,
): Promise<string> {
  const pieces: string[] = [];
  const options = width === undefined ? {} : { width };
  for await (const piece of formatRows({ columns, rows: listRows(machines, now) }, options))
    pieces.push(piece);
  return pieces.join("");
}

export function summarizeLakeStatus(machines: readonly MachineStatus[], now: Date): object {
  return {
    sources: machines.map((machine) => ({
      source: machine.machine,
      from_month: machine.fromMonth,
      to_month: machine.toMonth,
      plays: machine.plays,
      rows: machine.rows,
      files: machine.files,
      bytes: machine.bytes,
      published_at: machine.publishedAt,
      age_seconds: computeAgeSeconds(machine, now),
      data_as_of: machine.dataAsOf,
      software_version: machine.softwareVersion,
    })),
  };
}

async function* listRows(machines: readonly MachineStatus[], now: Date): AsyncGenerator<ReportRow> {
  for (const machine of machines) {
    const { fromMonth, toMonth, plays, rows, dataAsOf } = machine;
    const age = `${formatDuration(computeAgeSeconds(machine, now))} ago`;
    const asOf = dataAsOf === null ? null : formatInstant(dataAsOf);
    yield [machine.machine, fromMonth, toMonth, plays, rows, toMegabytes(machine.bytes), age, asOf];
  }
}

function computeAgeSeconds({ publishedAt }: MachineStatus, now: Date): number {
  return Math.max(0, Math.round((now.getTime() - Date.parse(publishedAt)) / 1000));
}

/** Converts bytes to MB, rounded to one decimal. */
export function toMegabytes(bytes: number): number {
  return Math.round(bytes / 100_000) / 10;
}

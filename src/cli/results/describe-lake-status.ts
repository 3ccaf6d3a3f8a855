import type { MachineStatus } from "../../lake/describe-lake.ts";
import { formatRows } from "../../report/format/table/format-rows.ts";
import type { ReportColumn, ReportRow } from "../../report/report.ts";
import { instantText } from "../../report/text/time-text.ts";
import { describeSeconds } from "../../util/text/words.ts";

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

/** What each machine has in a lake, as a table. @param width of the terminal, if it is one */
export async function describeLakeStatus(
  machines: readonly MachineStatus[],
  now: Date,
  width: number | undefined,
): Promise<string> {
  const pieces: string[] = [];
  const options = width === undefined ? {} : { width };
  for await (const piece of formatRows({ columns, rows: eachRow(machines, now) }, options))
    pieces.push(piece);
  return pieces.join("");
}

/** The same for programs. */
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
      age_seconds: ageSeconds(machine, now),
      data_as_of: machine.dataAsOf,
      software_version: machine.softwareVersion,
    })),
  };
}

async function* eachRow(machines: readonly MachineStatus[], now: Date): AsyncGenerator<ReportRow> {
  for (const machine of machines) {
    const { fromMonth, toMonth, plays, rows, dataAsOf } = machine;
    const age = `${describeSeconds(ageSeconds(machine, now))} ago`;
    const asOf = dataAsOf === null ? null : instantText(dataAsOf);
    yield [machine.machine, fromMonth, toMonth, plays, rows, toMegabytes(machine.bytes), age, asOf];
  }
}

function ageSeconds({ publishedAt }: MachineStatus, now: Date): number {
  return Math.max(0, Math.round((now.getTime() - Date.parse(publishedAt)) / 1000));
}

/** With one decimal. */
export function toMegabytes(bytes: number): number {
  return Math.round(bytes / 100_000) / 10;
}

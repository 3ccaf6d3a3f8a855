import { formatReadable, isFigure, isId, orderForReaders } from "../../../report/columns/readable-order.ts";
import { listGroupingColumns } from "../../../report/columns/report-columns.ts";
import { figureOfColumn } from "../../../report/figures.ts";
import type { ReportOptions } from "../../../report/options/report-options.ts";
import type { Report, ReportColumn, ReportRow } from "../../../report/report.ts";
import { chooseReportFile } from "../../../report/report-file.ts";
import type { ReportName } from "../../../report/report-name.ts";
import { getReportFile } from "../../../report/reports.ts";
import { timeWords } from "../../../report/text/spans.ts";

/** Returns the subject of a view's row, and the values that a message shows of it. */
export interface RowReader {
  /** JSON key, which stays the same when names change. */
  subjectOf(row: ReportRow): string;
  /** Names that readers know the subject by. */
  labelOf(row: ReportRow): string;
  valueOf(row: ReportRow, column: string): ReportRow[number] | undefined;
  /** Values that a message shows: the label, then one per column of `columns` after the first. */
  cellsOf(row: ReportRow): string[];
  /** Labels of the cells. */
  columns: string[];
}

/** Key columns of list reports. Reports with `--by` use the columns of its words, and own reports their labels. */
const listKeys: Partial<Record<ReportName, readonly string[]>> = {
  devices: ["device_id"],
  outages: ["device_id"],
  silences: ["zone_id"],
};

/** Reports whose rows are events or facts that neither begin nor end. */
export const reportsWithoutIncidents: readonly ReportName[] = ["single-plays", "loads", "rejects", "quality"];

const maxShownColumns = 6;

/** @param shownColumn a column that is always shown */
export function readRowsOf(
  { columns, ratio }: Report,
  options: Pick<ReportOptions, "report" | "own" | "by">,
  shownColumn: string | undefined,
): RowReader {
  const positionOf = new Map(columns.map(({ name }, position) => [name, position]));
  const text = (row: ReportRow, position: number) => {
    const column = columns[position];
    return column ? formatReadable(row[position] ?? null, column, row) : "";
  };
  const keys = listKeyColumns(columns, options).flatMap((name) => positionOf.get(name) ?? []);
  const names = chooseLabels(columns, options, keys);
  const others = orderForReaders(columns, ratio).positions.filter((position) => {
    const column = columns[position];
    return column && !names.includes(position) && !isId(column) && column.name !== "campaign_key";
  });
  const wanted = shownColumn === undefined ? undefined : positionOf.get(shownColumn);
  const shown = [...new Set([...(wanted === undefined ? [] : [wanted]), ...others])].slice(
    0,
    maxShownColumns,
  );
  const labelOf = (row: ReportRow) =>
    names.flatMap((position) => withNoun(text(row, position), columns[position]) || []).join(", ") || "Total";
  return {
    subjectOf: (row) => JSON.stringify(keys.map((position) => String(row[position] ?? ""))),
    labelOf,
    valueOf: (row, name) => {
      const position = positionOf.get(name);
      return position === undefined ? undefined : row[position];
    },
    cellsOf: (row) => [labelOf(row), ...shown.map((position) => text(row, position))],
    columns: [
      "",
      ...shown
        .flatMap((position) => columns[position] ?? [])
        .map((column) => figureOfColumn(column, options.report).label),
    ],
  };
}

function listKeyColumns(
  columns: readonly ReportColumn[],
  { report, own, by }: Pick<ReportOptions, "report" | "own" | "by">,
): readonly string[] {
  const ofList = listKeys[report];
  if (ofList) return ofList;
  const names = columns.map(({ name }) => name);
  const labels = own
    ? columns.filter((column) => !isFigure(column)).map(({ name }) => name)
    : listGroupingColumns(chooseReportFile(getReportFile(report), by), by);
  return labels.filter((name) => {
    const column = columns.find((candidate) => candidate.name === name);
    const key = name.replace(/_name$/, "");
    const isRenamable =
      name.endsWith("_name") && (names.includes(`${key}_id`) || names.includes(`${key}_key`));
    return column !== undefined && !isTime(column) && !isRenamable;
  });
}

/** Returns true for time columns. They are not part of the key, or each day would be a new incident. */
function isTime({ name, type, compared }: ReportColumn): boolean {
  const words: readonly string[] = [...timeWords, "hour"];
  // Lines of booked plays for the same campaign differ only in their first date.
  if (name === "valid_from") return false;
  return words.includes(name) || compared !== undefined || ["date", "instant", "local_time"].includes(type);
}

/** Returns the positions of the columns that label a row: names where there are any, instead of ids. */
function chooseLabels(
  columns: readonly ReportColumn[],
  { report }: Pick<ReportOptions, "report">,
  keys: readonly number[],
): number[] {
  const nameOf = (name: string) => columns.findIndex((column) => column.name === name);
  if (report === "devices" || report === "outages")
    return ["zone_name", "location_name", "device_id"].map(nameOf).filter((position) => position >= 0);
  if (report === "silences")
    return ["zone_name", "location_name"].map(nameOf).filter((position) => position >= 0);
  const named = keys.flatMap((position) => {
    const name = columns[position]?.name ?? "";
    if (name === "campaign_key" || name === "item_key") return [];
    const own = nameOf(name.replace(/_id$/, "_name"));
    return own < 0 ? [position] : [own];
  });
  const isName = (position: number) => columns[position]?.name.endsWith("_name") ?? false;
  return [...new Set([...named.filter(isName), ...named.filter((position) => !isName(position))])];
}

/** Turns an id into e.g. `device 41`, because a bare number means nothing. */
function withNoun(text: string, column: ReportColumn | undefined): string {
  const [, noun] = /^(\w+)_id$/.exec(column?.name ?? "") ?? [];
  return text === "" || noun === undefined ? text : `${noun} ${text}`;
}

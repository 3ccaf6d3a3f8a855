import type { ColumnDefinition } from "../mart/column-definition.ts";
import { listGroupings, listShownColumns } from "../report/columns/report-columns.ts";
import { describeReport } from "../report/columns/report-shape.ts";
import { getFigure } from "../report/figures.ts";
import { comparedBy } from "../report/options/compare-option.ts";
import type { OwnReport } from "../report/own/own-report.ts";
import { listRowFiles } from "../report/report-file.ts";
import { type ReportName, reportNames } from "../report/report-name.ts";
import { definitionOf, getReportFile, reports } from "../report/reports.ts";
import { deviceStates } from "../report/row-states.ts";

/** Describes a report and its columns; `undefined` if no report has that name. */
export function reportHelp(word: string): string | undefined {
  const name = reportNames.find((one) => one === word);
  if (name === undefined) return undefined;
  const columns = listColumnDefinitions(name).map((column) => `  ${formatLine(column)}`);
  return [
    `venue report ${name}: ${reports[name].summary}`,
    "",
    "Columns (--by selects which of them appear):",
    ...columns,
    "",
    "Options: venue report --help",
  ].join("\n");
}

/** Describes an own report and the columns that its header defines; `undefined` if there is none of that name. */
export function ownHelp(word: string, reports: readonly OwnReport[]): string | undefined {
  const own = reports.find(({ name }) => name === word);
  if (own === undefined) return undefined;
  return [
    `venue report ${own.name}: ${own.summary} (${own.path})`,
    ...(own.problem ? ["", own.problem.message] : []),
    ...(own.columns.length > 0 ? ["", "Columns of its own:"] : []),
    ...own.columns.map((column) => `  ${formatLine(column)}`),
    "",
    `Options: ${[...listOwnOptions(own), "--sort", "--search"].join(", ")}, and those of the output: venue report --help`,
  ].join("\n");
}

function listOwnOptions(own: OwnReport): string[] {
  const { takesPeriod, takesPlaces, takesCampaign } = definitionOf({ report: "own", own });
  return [
    ...(takesPeriod ? ["--from", "--to", "--compare"] : []),
    ...(takesPlaces ? ["--zone", "--location", "--group"] : []),
    ...(takesCampaign ? ["--campaign", "--kind"] : []),
    ...(takesPlaces || takesCampaign ? ["--where"] : []),
  ];
}

/** Lists each meaning of a column with the reports that use it; `undefined` if none does. */
export function describeColumnWord(word: string, own: readonly OwnReport[] = []): string | undefined {
  const listReports = new Map<string, string[]>();
  const all = [
    ...reportNames.map((name) => ({ name, columns: listColumnDefinitions(name) })),
    ...own.map(({ name, columns }) => ({ name, columns })),
  ];
  for (const { name, columns } of all) {
    for (const column of columns) {
      if (column.name !== word) continue;
      const meaning = [formatLine(column), ...(column.note ? [column.note] : [])].join("\n");
      listReports.set(meaning, [...(listReports.get(meaning) ?? []), name]);
    }
  }
  if (listReports.size === 0) return undefined;
  return [...listReports].map(([meaning, names]) => `${meaning}\nIn: ${names.join(", ")}`).join("\n\n");
}

/**
 * Describes the column that belongs to a word of `--only` (days in that state, or a device's state) or `--by` (a
 * name or id).
 */
export function describeStateOrBy(word: string): string | undefined {
  return (
    describeColumnWord(`${word}_days`) ??
    describeColumnWord(`${word}_name`) ??
    describeColumnWord(`${word}_id`) ??
    (deviceStates.some((state) => state === word) ? describeColumnWord("state") : undefined)
  );
}

/** Describes a column of comparisons, such as `plays_then`; `undefined` if no report has it. */
export function describeComparedColumn(word: string): string | undefined {
  const having = reportNames.filter((name) => {
    const { file } = reports[name];
    // Some figures appear only without `--by`. For example, zones are not counted with `--by zone`.
    const shown = [[], listGroupings(file)].flatMap((by) =>
      listShownColumns(file, { by, compare: "before" }),
    );
    return comparedBy[name] !== undefined && shown.some((column) => column.name === word);
  });
  const [first] = having;
  if (first === undefined) return undefined;
  const { label, definition } = getFigure(word, first);
  return `${word} (${label}): ${definition}\nIn, with --compare: ${having.join(", ")}`;
}

export function listReportWords(own: readonly OwnReport[]): string[] {
  const columns = reportNames.flatMap((name) => listColumnDefinitions(name));
  const ofOwn = own.flatMap((report) => [report, ...report.columns]);
  return [...new Set([...reportNames, ...[...columns, ...ofOwn].map(({ name }) => name)])];
}

/** Returns the columns of all files of a report; the first definition of a name counts. */
function listColumnDefinitions(report: ReportName): ColumnDefinition[] {
  const columns = listRowFiles(getReportFile(report)).flatMap(describeReport);
  return [...new Map(columns.toReversed().map((column) => [column.name, column])).values()].toReversed();
}

function formatLine({ name, label, definition }: ColumnDefinition): string {
  return `${name} (${label}): ${definition}`;
}

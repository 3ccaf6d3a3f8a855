import type { Command } from "commander";
import { customFolderOf } from "../config/data-folder.ts";
import type { ColumnDefinition } from "../mart/column-definition.ts";
import { catalog } from "../report/catalog/catalog.ts";
import { listGroupings, listVariants } from "../report/catalog/report-entry.ts";
import { describeReport } from "../report/columns/column-shape.ts";
import { listColumns, listShownColumns } from "../report/columns/list-columns.ts";
import { createCustomEntry } from "../report/custom/custom-entry.ts";
import type { CustomReport } from "../report/custom/custom-report.ts";
import { listCustomReports } from "../report/custom/list-custom-reports.ts";
import { getFigure } from "../report/figures.ts";
import { isTaken, listWords, toFlag } from "../report/options/option-list.ts";
import { reportNames } from "../report/report-name.ts";
import type { CliContext } from "./cli-context.ts";

/** Describes a report and its columns; `undefined` if no report has that name. */
export function reportHelp(word: string): string | undefined {
  const name = reportNames.find((one) => one === word);
  if (name === undefined) return undefined;
  const columns = listColumnDefinitions(name).map((column) => `  ${formatLine(column)}`);
  return [
    `venue report ${name}: ${catalog[name].summary}`,
    "",
    "Columns (--by selects which of them appear):",
    ...columns,
    "",
    "Options: venue report --help",
  ].join("\n");
}

/** Describes a custom report and the columns that its header defines; `undefined` if none has that name. */
export function customHelp(word: string, reports: readonly CustomReport[]): string | undefined {
  const custom = reports.find(({ name }) => name === word);
  if (custom === undefined) return undefined;
  return [
    `venue report ${custom.name}: ${custom.summary} (${custom.path})`,
    ...(custom.problem ? ["", custom.problem.message] : []),
    ...(custom.columns.length > 0 ? ["", "Columns that this report defines:"] : []),
    ...custom.columns.map((column) => `  ${formatLine(column)}`),
    "",
    `Options: ${listCustomOptions(custom).join(", ")}, and the output options: venue report --help`,
  ].join("\n");
}

function listCustomOptions(custom: CustomReport): string[] {
  const entry = createCustomEntry(custom);
  return listWords().flatMap(([word]) => (isTaken(entry, word) ? [toFlag(word)] : []));
}

/** Lists each meaning of a column with the reports that use it; `undefined` if none does. */
export function describeColumnWord(word: string, custom: readonly CustomReport[] = []): string | undefined {
  const listReports = new Map<string, string[]>();
  const all = [
    ...reportNames.map((name) => ({ name, columns: listColumnDefinitions(name) })),
    ...custom.map(({ name, columns }) => ({ name, columns })),
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
 * Describes the column for a state of `--only` (the number of days in it, or a device's state) or for a
 * dimension of `--by` (its name or id).
 */
export function describeStateOrBy(word: string): string | undefined {
  return (
    describeColumnWord(`${word}_days`) ??
    describeColumnWord(`${word}_name`) ??
    describeColumnWord(`${word}_id`) ??
    (catalog.devices.states?.includes(word) ? describeColumnWord("state") : undefined)
  );
}

/** Describes a column of comparisons, such as `plays_then`; `undefined` if no report has it. */
export function describeComparedColumn(word: string): string | undefined {
  const having = reportNames.filter((name) => {
    const entry = catalog[name];
    // Some measures appear only without `--by`. For example, zones are not counted with `--by zone`.
    const shown = [[], listGroupings(entry, [])].flatMap((by) =>
      listShownColumns(entry, { by, compare: "before" }),
    );
    return entry.compared !== undefined && shown.some((column) => column.name === word);
  });
  const [first] = having;
  if (first === undefined) return undefined;
  const { label, definition } = getFigure(word, first);
  return `${word} (${label}): ${definition}\nIn, with --compare: ${having.join(", ")}`;
}

export function listReportWords(custom: readonly CustomReport[]): string[] {
  const columns = reportNames.flatMap((name) => listColumnDefinitions(name));
  const ofCustom = custom.flatMap((report) => [report, ...report.columns]);
  return [...new Set([...reportNames, ...[...columns, ...ofCustom].map(({ name }) => name)])];
}

/** Returns the columns of all files of a report; the first definition of a name is used. */
function listColumnDefinitions(report: keyof typeof catalog): ColumnDefinition[] {
  const columns = listVariants(catalog[report]).flatMap(describeReport);
  return [...new Map(columns.toReversed().map((column) => [column.name, column])).values()].toReversed();
}

function formatLine({ name, label, definition }: ColumnDefinition): string {
  return `${name} (${label}): ${definition}`;
}

/** Lists all reports with their columns, and examples, for `venue report --help`. */
export function describeReports(command: Command, context: CliContext): string {
  const custom = listKnownCustom(context);
  const helper = command.createHelp();
  const entries = reportNames.map((name) => [name, catalog[name]] as const);
  const formatLine = (name: string, text: string) =>
    `  ${name.padEnd(12)} ${helper.boxWrap(text, 65).replaceAll("\n", `\n${" ".repeat(15)}`)}`;
  const summaries = entries.map(([name, { summary }]) => formatLine(name, summary));
  const customLines = custom.map(({ name, summary, path, problem }) =>
    formatLine(name, problem?.message ?? `${summary} (${path})`),
  );
  const columns = entries.map(([name, entry]) =>
    formatLine(
      name,
      listColumns(entry)
        .map((column) => column.name)
        .join(", "),
    ),
  );
  return (
    `\nReports:\n${summaries.join("\n")}\n${customLines.length > 0 ? `\nCustom reports:\n${customLines.join("\n")}\n` : ""}\nColumns, after those of --by:\n${columns.join("\n")}\n` +
    "\nDefinitions of columns: venue help COLUMN, or the report's page (--format html).\n" +
    "\nExamples:\n  $ venue report plays --by item --top 20 --kind music\n" +
    "  $ venue report plays --by item,city --top 20 --per city\n" +
    "  $ venue report compliance --by campaign,zone --only missed,missed_offline\n" +
    "  $ venue report compliance --by zone --fail-under 0.95\n" +
    "  $ venue report devices --only down --fail-under 0.95\n" +
    "  $ venue report plays --by zone --compare before\n" +
    "  $ venue report uptime --by zone --split city --out lists/{city}.xlsx\n" +
    "  $ venue report compliance --explain --campaign 7 --zone 12 --date 2026-11-03\n"
  );
}

/** Lists the custom reports. Returns none if the settings can't be read, so that help and completion still work. */
export function listKnownCustom(context: CliContext): CustomReport[] {
  try {
    return listCustomReports(customFolderOf(context.readSettings({ isLenient: true })));
  } catch {
    return [];
  }
}

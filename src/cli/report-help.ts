import { type ColumnDefinition, describeColumns } from "../mart/column-definition.ts";
import { listGroupings, shownColumns } from "../report/columns/report-columns.ts";
import { figureOf } from "../report/figures.ts";
import { comparedBy } from "../report/options/compare-option.ts";
import type { OwnReport } from "../report/own/own-report.ts";
import { reportNames } from "../report/report-name.ts";
import { reports } from "../report/reports.ts";

/** Describes a report and its columns; `undefined` if there is no report of that name. */
export function reportHelp(word: string): string | undefined {
  const name = reportNames.find((one) => one === word);
  if (name === undefined) return undefined;
  const columns = describeColumns(reports[name].file).map((column) => `  ${lineOf(column)}`);
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
    ...own.columns.map((column) => `  ${lineOf(column)}`),
    "",
    "Options: venue report --help",
  ].join("\n");
}

/** Lists each meaning of a column with the reports that use it; `undefined` if none does. */
export function columnHelp(word: string): string | undefined {
  const reportsOf = new Map<string, string[]>();
  for (const name of reportNames) {
    for (const column of describeColumns(reports[name].file)) {
      if (column.name !== word) continue;
      const meaning = [lineOf(column), ...(column.note ? [column.note] : [])].join("\n");
      reportsOf.set(meaning, [...(reportsOf.get(meaning) ?? []), name]);
    }
  }
  if (reportsOf.size === 0) return undefined;
  return [...reportsOf].map(([meaning, names]) => `${meaning}\nIn: ${names.join(", ")}`).join("\n\n");
}

/** Describes the column that counts a state of `--only` or names a word of `--by`. */
export function stateOrByHelp(word: string): string | undefined {
  return columnHelp(`${word}_days`) ?? columnHelp(`${word}_name`) ?? columnHelp(`${word}_id`);
}

/** Describes a column of comparisons, such as `plays_then`; `undefined` if no report has it. */
export function comparedHelp(word: string): string | undefined {
  const having = reportNames.filter((name) => {
    const { file } = reports[name];
    // Some figures appear only without `--by`: with `--by zone`, zones are not counted.
    const shown = [[], listGroupings(file)].flatMap((by) => shownColumns(file, { by, compare: "before" }));
    return comparedBy[name] !== undefined && shown.some((column) => column.name === word);
  });
  const [first] = having;
  if (first === undefined) return undefined;
  const { label, definition } = figureOf(word, first);
  return `${word} (${label}): ${definition}\nIn, with --compare: ${having.join(", ")}`;
}

export function reportWords(): string[] {
  const columns = reportNames.flatMap((name) => describeColumns(reports[name].file).map((one) => one.name));
  return [...new Set([...reportNames, ...columns])];
}

function lineOf({ name, label, definition }: ColumnDefinition): string {
  return `${name} (${label}): ${definition}`;
}

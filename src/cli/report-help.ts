import { type ColumnDefinition, describeColumns } from "../mart/column-definition.ts";
import { byWordsOf, shownColumns } from "../report/columns/report-columns.ts";
import { figureOf } from "../report/figures.ts";
import { comparedBy } from "../report/options/compare-option.ts";
import { reportNames } from "../report/report-name.ts";
import { reports } from "../report/reports.ts";

/** What a report is, and what its columns mean; `undefined` where there is no report of that name. */
export function reportHelp(word: string): string | undefined {
  const name = reportNames.find((one) => one === word);
  if (name === undefined) return undefined;
  const columns = describeColumns(reports[name].file).map((column) => `  ${lineOf(column)}`);
  return [
    `venue report ${name}: ${reports[name].summary}`,
    "",
    "Its columns, of which each choice of rows shows some:",
    ...columns,
    "",
    "Its flags: venue report --help",
  ].join("\n");
}

/** What a column means, once for each meaning, with the reports that have it; `undefined` where none has. */
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

/** Of a state of `--only`, or a word of `--by`, the column that counts or names such. */
export function stateOrByHelp(word: string): string | undefined {
  return columnHelp(`${word}_days`) ?? columnHelp(`${word}_name`) ?? columnHelp(`${word}_id`);
}

/** What a column means that reports have where periods are compared, such as `plays_then`; `undefined` where none has. */
export function comparedHelp(word: string): string | undefined {
  const having = reportNames.filter((name) => {
    const { file } = reports[name];
    // Some figures are only in rows by nothing: by zone, there is no count of zones.
    const shown = [[], byWordsOf(file)].flatMap((by) => shownColumns(file, { by, compare: "before" }));
    return comparedBy[name] !== undefined && shown.some((column) => column.name === word);
  });
  const [first] = having;
  if (first === undefined) return undefined;
  const { label, definition } = figureOf(word, first);
  return `${word} (${label}): ${definition}\nIn, with --compare: ${having.join(", ")}`;
}

/** All that the first two know. */
export function reportWords(): string[] {
  const columns = reportNames.flatMap((name) => describeColumns(reports[name].file).map((one) => one.name));
  return [...new Set([...reportNames, ...columns])];
}

function lineOf({ name, label, definition }: ColumnDefinition): string {
  return `${name} (${label}): ${definition}`;
}

import { type ColumnDefinition, describeColumns, joinDefinition } from "../mart/column-definition.ts";
import { listReportFiles, readReportHeader } from "../mart/report-header.ts";
import { type ReportName, reportNames } from "./report-name.ts";

export interface Figure {
  name: string;
  label: string;
  /** A few sentences; absent for an unknown name. */
  definition?: string;
}

const previousDefinition = "The same figure in the comparison period.";
const changeDefinition =
  "Difference from the comparison period; for shares, in percentage points, each written as 0.01 in files.";

let known: ReadonlyMap<ReportName, ReadonlyMap<string, ColumnDefinition>> | undefined;

/** Returns a figure as defined by the report, else by the first report that has it, else by its name. */
export function getFigure(name: string, report?: ReportName): Figure {
  known ??= readFigures();
  const places = report === undefined ? reportNames : [report, ...reportNames];
  for (const place of places) {
    const found = known.get(place)?.get(name);
    if (found) return { name, label: found.label, definition: joinDefinition(found) };
  }
  const [, of, is] = /^(\w+)_(then|change)$/.exec(name) ?? [];
  const compared = of === undefined ? undefined : getFigure(of, report);
  if (compared?.definition !== undefined)
    return {
      name,
      label: `${compared.label}${is === "then" ? " then" : ", change"}`,
      definition: is === "then" ? previousDefinition : changeDefinition,
    };
  const words = name.replaceAll("_", " ").trim();
  return { name, label: words.charAt(0).toUpperCase() + words.slice(1) };
}

/** Reads figures by report and name from `sql/reports/`. A report's own statements take precedence. */
function readFigures(): ReadonlyMap<ReportName, ReadonlyMap<string, ColumnDefinition>> {
  const figures = new Map(reportNames.map((report) => [report, new Map<string, ColumnDefinition>()]));
  const files = listReportFiles().filter((file) => readReportHeader(file).columnsOf === undefined);
  const isOwn = (file: string, report: ReportName) => file.split("/")[0] === report;
  for (const [report, ownFigures] of figures) {
    const serving = files.filter((file) => readReportHeader(file).reports.includes(report));
    for (const file of [
      ...serving.filter((file) => isOwn(file, report)),
      ...serving.filter((file) => !isOwn(file, report)),
    ]) {
      for (const figure of describeColumns(file))
        if (!ownFigures.has(figure.name)) ownFigures.set(figure.name, figure);
    }
  }
  return figures;
}

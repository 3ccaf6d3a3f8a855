import { type ColumnDefinition, describeColumns, fullDefinition } from "../mart/column-definition.ts";
import { listReportFiles, readReportHeader } from "../mart/report-header.ts";
import { type ReportName, reportNames } from "./report-name.ts";

/** What people call a report's column, or a fact of its page, and what it means. */
export interface Figure {
  name: string;
  label: string;
  /** A few sentences; none where nothing is known of the name. */
  definition?: string;
}

const thenMeans = "The same in the period that is compared with.";
const changeMeans =
  "How much more than then; of shares, in percentage points, of which each is 0.01 in files.";

let known: ReadonlyMap<ReportName, ReadonlyMap<string, ColumnDefinition>> | undefined;

/**
 * A figure as the report defines it, else as the first report that knows it does. What no report knows is called by its
 * own name.
 * @param report none for the columns of a query
 */
export function figureOf(name: string, report?: ReportName): Figure {
  known ??= readFigures();
  const places = report === undefined ? reportNames : [report, ...reportNames];
  for (const place of places) {
    const found = known.get(place)?.get(name);
    if (found) return { name, label: found.label, definition: fullDefinition(found) };
  }
  const [, of, is] = /^(\w+)_(then|change)$/.exec(name) ?? [];
  const compared = of === undefined ? undefined : figureOf(of, report);
  if (compared?.definition !== undefined)
    return {
      name,
      label: `${compared.label}${is === "then" ? " then" : ", change"}`,
      definition: is === "then" ? thenMeans : changeMeans,
    };
  const words = name.replaceAll("_", " ").trim();
  return { name, label: words.charAt(0).toUpperCase() + words.slice(1) };
}

/** By report and name, from the headers of `sql/reports/`. A statement of the report's own counts first. */
function readFigures(): ReadonlyMap<ReportName, ReadonlyMap<string, ColumnDefinition>> {
  const figures = new Map(reportNames.map((report) => [report, new Map<string, ColumnDefinition>()]));
  const files = listReportFiles().filter((file) => readReportHeader(file).columnsOf === undefined);
  const isOwn = (file: string, report: ReportName) => file.split("/")[0] === report;
  for (const [report, ofReport] of figures) {
    const serving = files.filter((file) => readReportHeader(file).reports.includes(report));
    for (const file of [
      ...serving.filter((file) => isOwn(file, report)),
      ...serving.filter((file) => !isOwn(file, report)),
    ]) {
      for (const figure of describeColumns(file))
        if (!ofReport.has(figure.name)) ofReport.set(figure.name, figure);
    }
  }
  return figures;
}

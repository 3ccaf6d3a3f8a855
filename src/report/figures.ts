import { type ColumnDefinition, describeColumns, joinDefinition } from "../mart/column-definition.ts";
import { listModels } from "../mart/model.ts";
import { listRows } from "./catalog/catalog.ts";
import { describeReport } from "./columns/column-shape.ts";
import { type ReportName, reportNames } from "./report-name.ts";
import type { Figure, ReportColumn } from "./result-types.ts";

const previousDefinition = "The same measure in the comparison period.";
const changeDefinition =
  "Difference from the comparison period; for ratios, in percentage points, each written as 0.01 in files.";

let known: ReadonlyMap<ReportName, ReadonlyMap<string, ColumnDefinition>> | undefined;

/**
 * Returns a measure's definition in the report, or in the first report that defines it. Otherwise, returns only a label
 * derived from its name.
 */
export function getFigure(name: string, report?: ReportName): Figure {
  known ??= readFigures();
  const places = report === undefined ? reportNames : [report, ...reportNames];
  for (const place of places) {
    const found = known.get(place)?.get(name);
    if (found) return { name, label: found.label, definition: joinDefinition(found), unit: found.unit };
  }
  const [, of, is] = /^(\w+)_(then|change)$/.exec(name) ?? [];
  const compared = of === undefined ? undefined : getFigure(of, report);
  if (compared?.definition !== undefined)
    return comparedFigure(compared, name, is === "then" ? "then" : "change");
  const words = name.replaceAll("_", " ").trim();
  return { name, label: words.charAt(0).toUpperCase() + words.slice(1) };
}

/** Returns the previous value of a measure, or its change. */
export function comparedFigure({ label }: Figure, name: string, is: "then" | "change"): Figure {
  return {
    name,
    label: `${label}${is === "then" ? " then" : ", change"}`,
    definition: is === "then" ? previousDefinition : changeDefinition,
  };
}

export function figureOfColumn(
  { name, figure }: Pick<ReportColumn, "name" | "figure">,
  report?: ReportName,
): Figure {
  return figure ?? getFigure(name, report);
}

/** Finds the definition of a column name in the catalog's reports, else in the published tables. */
export function findColumnDefinition(name: string): ColumnDefinition | undefined {
  known ??= readFigures();
  for (const figures of known.values()) {
    const found = figures.get(name);
    if (found) return found;
  }
  const table = listModels().find(
    ({ schema, columns }) => schema === "mart" && columns.some((column) => column.name === name),
  );
  return table && describeColumns(table.table).find((column) => column.name === name);
}

/** Reads measures by report and name. A report's rows take precedence over those of its notes and pages. */
function readFigures(): ReadonlyMap<ReportName, ReadonlyMap<string, ColumnDefinition>> {
  const figures = new Map(
    reportNames.map((report): [ReportName, Map<string, ColumnDefinition>] => [report, new Map()]),
  );
  for (const rows of listRows()) {
    const known = figures.get(rows.name as ReportName);
    for (const figure of describeReport(rows)) if (!known?.has(figure.name)) known?.set(figure.name, figure);
  }
  return figures;
}

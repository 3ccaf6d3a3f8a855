import { type ColumnDefinition, joinDefinition } from "../../src/mart/column-definition.ts";
import { listColumns } from "../../src/report/columns/report-columns.ts";
import { describeReport, getShape } from "../../src/report/columns/report-shape.ts";
import { listByWords, listRowFiles } from "../../src/report/report-file.ts";
import { type ReportName, reportNames } from "../../src/report/report-name.ts";
import { getReportFile, reports } from "../../src/report/reports.ts";

/** Renders `docs/figures.md`: every column of every report, from the catalog and SQL headers. */
export function renderFiguresPage(): string {
  return `# Figures

What the columns of the reports mean. This page is written by \`make figures\` from \`src/report/catalog/\` and the headers of
\`sql/models/mart/\` and \`sql/reports/\`: change a definition there. The published tables are described in
\`published/current/dictionary.html\`.

## Reports

| report | \`--by\` takes | columns after those of \`--by\` |
|---|---|---|
${reportNames.map(reportRow).join("\n")}

## What the figures mean

| figure | called | unit | means | in |
|---|---|---|---|---|
${figureRows().join("\n")}
`;
}

function reportRow(report: ReportName): string {
  const file = getReportFile(report);
  const columns = listColumns(file).map(({ name }) => name);
  return tableRow([report, listByWords(file).join(", ") || "–", columns.join(", ")]);
}

/** Each definition once, with the reports that share it. */
function figureRows(): string[] {
  const rows = new Map<string, { figure: ColumnDefinition; reports: string[] }>();
  for (const report of reportNames) {
    for (const { figure, file } of listRowFiles(reports[report].file).flatMap((file) =>
      describeReport(file).map((figure) => ({ figure, file })),
    )) {
      if (getShape(file).unshown.includes(figure.name)) continue;
      const key = `${figure.name} ${joinDefinition(figure)}`;
      const row = rows.get(key) ?? { figure, reports: [] };
      rows.set(key, row);
      if (!row.reports.includes(report)) row.reports.push(report);
    }
  }
  return [...rows.values()].map(({ figure, reports: users }) =>
    tableRow([
      `\`${figure.name}\``,
      figure.label,
      figure.unit,
      joinDefinition(figure),
      users.length === reportNames.length ? "all" : users.join(", "),
    ]),
  );
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

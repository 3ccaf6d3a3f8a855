import { type ColumnDefinition, joinDefinition } from "../../src/mart/column-definition.ts";
import { catalog } from "../../src/report/catalog/catalog.ts";
import { listDimensions, listVariants } from "../../src/report/catalog/report-entry.ts";
import { describeReport, getShape } from "../../src/report/columns/column-shape.ts";
import { listColumns } from "../../src/report/columns/list-columns.ts";
import { reportNames } from "../../src/report/report-name.ts";

/** Renders `docs/figures.md`: every column of every report, from the catalog and the headers of models. */
export function renderFiguresPage(): string {
  return `# Figures

What the columns of the reports mean. This page is written by \`make figures\` from \`src/report/catalog/\` and the headers of
\`sql/models/mart/\`: change a definition there. The published tables are described in
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

function reportRow(report: keyof typeof catalog): string {
  const entry = catalog[report];
  const columns = listColumns(entry).map(({ name }) => name);
  return tableRow([report, listDimensions(entry).join(", ") || "–", columns.join(", ")]);
}

/** Each definition once, with the reports that share it. */
function figureRows(): string[] {
  const known = new Map<string, { figure: ColumnDefinition; reports: string[] }>();
  for (const report of reportNames) {
    for (const { figure, rows } of listVariants(catalog[report]).flatMap((rows) =>
      describeReport(rows).map((figure) => ({ figure, rows })),
    )) {
      if (getShape(rows).unshown.includes(figure.name)) continue;
      const key = `${figure.name} ${joinDefinition(figure)}`;
      const row = known.get(key) ?? { figure, reports: [] };
      known.set(key, row);
      if (!row.reports.includes(report)) row.reports.push(report);
    }
  }
  return [...known.values()].map(({ figure, reports: users }) =>
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

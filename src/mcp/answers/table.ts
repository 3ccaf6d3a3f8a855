import { z } from "zod";
import { figureOfColumn, getFigure } from "../../report/figures.ts";
import { formatMarkdown } from "../../report/format/text-formats.ts";
import type { ReportPage } from "../../report/html/report-page.ts";
import type { Report, ReportRow } from "../../report/result-types.ts";
import { formatCount } from "../../report/text/readable-text.ts";
import type { Answer } from "../define-tool.ts";
import { type Basis, basisOutput, formatBasis } from "./basis.ts";
import type { RowPage } from "./row-page.ts";

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const tableOutput = {
  ...basisOutput,
  title: z.string(),
  answer: z.string().optional().describe("the answer in a sentence, where the report has one"),
  notes: z.array(z.string()).describe("limits of the figures; cite those that matter"),
  figures: z
    .array(
      z.object({
        name: z.string(),
        label: z.string(),
        value: z.string(),
        note: z.string().optional(),
        definition: z.string().optional(),
      }),
    )
    .describe("key numbers of the whole report"),
  columns: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      type: z.string(),
      definition: z.string().optional(),
    }),
  ),
  rows: z.array(z.array(value)).describe("one list of values per row, in the order of columns"),
  rows_left: z.number().describe("number of rows after these"),
  rows_left_is_minimum: z.boolean().describe("true if counting stopped early"),
  next_offset: z.number().optional().describe("offset of the next rows, if any are left"),
};

type Table = z.infer<z.ZodObject<typeof tableOutput>>;

interface TableParts {
  report: Report;
  page: RowPage;
  basis: Basis;
  described?: Pick<ReportPage, "headline" | "facts"> | undefined;
  /** Advice on how to get fewer rows. */
  narrow: string;
}

/** Formats rows with the definitions, age and coverage that a reader needs to interpret them. */
export async function answerWithTable(parts: TableParts): Promise<Answer<Table>> {
  const { report, page, basis, described } = parts;
  const { rows, offset, left, isCounted } = page;
  const columns = report.columns.map((column) => {
    const { name, label, definition } = figureOfColumn(column, report.name);
    return { name, label, type: column.type, ...(definition !== undefined && { definition }) };
  });
  const figures = (described?.facts ?? []).map(({ figure, value, note }) => {
    const { label, definition } = getFigure(figure, report.name);
    return { name: figure, label, value, ...(note && { note }), ...(definition && { definition }) };
  });
  const content: Table = {
    ...basis,
    title: report.title,
    ...(described && { answer: described.headline }),
    notes: [...report.notes],
    figures,
    columns,
    rows: rows.map((row) => [...row] as Table["rows"][number]),
    rows_left: left,
    rows_left_is_minimum: !isCounted,
    ...(left > 0 && { next_offset: offset + rows.length }),
  };
  return { content, text: await formatText(parts, content) };
}

async function formatText({ report, page, basis, narrow }: TableParts, content: Table): Promise<string> {
  let table = "";
  for await (const piece of formatMarkdown({ ...report, rows: streamRows(page.rows) })) table += piece;
  const { answer, figures, columns } = content;
  return [
    ...(answer === undefined ? [] : [answer]),
    ...(figures.length === 0 ? [] : [formatFigures(figures)]),
    table.trimEnd(),
    ...describeRest(page, basis.version, narrow),
    formatBasis(basis),
    ...formatDefinitions([...figures, ...columns]),
  ].join("\n\n");
}

function formatFigures(figures: Table["figures"]): string {
  return figures
    .map(({ label, value, note }) => `- ${label}: ${value}${note ? ` (${note})` : ""}`)
    .join("\n");
}

function describeRest({ rows, offset, left, isCounted }: RowPage, version: string, narrow: string): string[] {
  if (left === 0) return [];
  const rest = `${isCounted ? "" : "At least "}${formatCount(left)} more ${left === 1 ? "row follows" : "rows follow"}`;
  const next = `continue with offset ${offset + rows.length} and as_of "${version}"`;
  return [`${rest}: ${narrow}, or ${next}.`];
}

function formatDefinitions(
  figures: readonly { name: string; label: string; definition?: string | undefined }[],
): string[] {
  const known = new Map(figures.map((figure) => [figure.name, figure]));
  const lines = [...known.values()].flatMap(({ name, label, definition }) =>
    definition === undefined ? [] : [`- ${name} (${label}): ${definition}`],
  );
  return lines.length === 0 ? [] : [`Definitions:\n${lines.join("\n")}`];
}

async function* streamRows(rows: readonly ReportRow[]): AsyncIterableIterator<ReportRow> {
  yield* rows;
}

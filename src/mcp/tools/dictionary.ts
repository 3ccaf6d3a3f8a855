import { z } from "zod";
import { customFolderOf } from "../../config/data-folder.ts";
import { sqlName } from "../../engines/sql-text.ts";
import { type ColumnDefinition, describeColumns, joinDefinition } from "../../mart/column-definition.ts";
import { readModel } from "../../mart/model.ts";
import { catalog } from "../../report/catalog/catalog.ts";
import { listVariants } from "../../report/catalog/report-entry.ts";
import { describeReport } from "../../report/columns/column-shape.ts";
import { listCustomReports } from "../../report/custom/list-custom-reports.ts";
import { getFigure } from "../../report/figures.ts";
import type { PublishedMart } from "../../report/published/published-mart.ts";
import { findClosestWord } from "../../util/text/words.ts";
import { VenueError } from "../../util/venue-error.ts";
import { basisOutput, createWholeBasis, formatBasis } from "../answers/basis.ts";
import { defineTool, type ToolContext } from "../define-tool.ts";

const described = {
  name: z.string(),
  label: z.string(),
  unit: z.string(),
  definition: z.string().optional(),
};

const output = {
  ...basisOutput,
  tables: z.array(
    z.object({
      name: z.string(),
      description: z.string().describe("definition of one row"),
      grain: z.array(z.string()).describe("columns that are unique together"),
      columns: z.array(z.object({ ...described, type: z.string() })).optional(),
    }),
  ),
  figures: z.array(
    z.object({ ...described, in: z.array(z.string()).describe("reports and tables that contain it") }),
  ),
};

type Tables = z.infer<(typeof output)["tables"]>;
type Figures = z.infer<(typeof output)["figures"]>;

/** Describes tables and columns from the headers of our SQL, as the published dictionary does. */
export const dictionaryTool = defineTool({
  name: "dictionary",
  title: "Data dictionary",
  description:
    "Lists the published tables; with a table's name, its columns with types and definitions, for query; " +
    "with the name of a figure or column, what it means in each report and table.",
  input: { word: z.string().optional().describe("a table, figure or column (default: lists all tables)") },
  output,
  async answer({ word }, context) {
    const found = await find(word?.trim().toLowerCase(), context);
    const content = { ...(await createWholeBasis(context)), ...found };
    const text = [
      ...content.tables.map(
        ({ name, description, grain, columns = [] }) =>
          `${name}: ${description} Key: ${grain.join(", ")}.${columns.map((column) => `\n- ${formatLine(column)} [${column.type}]`).join("")}`,
      ),
      ...content.figures.map((figure) => `${formatLine(figure)} In: ${figure.in.join(", ")}.`),
      formatBasis(content),
    ].join("\n");
    return { content, text };
  },
});

/** @throws {VenueError} `UNKNOWN_WORD` naming the closest word */
async function find(
  word: string | undefined,
  { mart, settings }: ToolContext,
): Promise<{ tables: Tables; figures: Figures }> {
  if (word === undefined) return { tables: mart.tables.map(describeTable), figures: [] };
  if (mart.tables.includes(word)) {
    const columns = await listTypedColumns(mart, word);
    return { tables: [{ ...describeTable(word), columns }], figures: [] };
  }
  const sources = [
    ...Object.values(catalog).map((entry) => ({
      name: `report ${entry.name}`,
      columns: listVariants(entry).flatMap(describeReport),
    })),
    ...listCustomReports(customFolderOf(settings)).map(({ name, columns }) => ({
      name: `report ${name}`,
      columns,
    })),
    ...mart.tables.map((name) => ({ name, columns: describeColumns(name) })),
  ];
  const figures = new Map<string, Figures[number]>();
  for (const { name, columns } of sources) {
    const column = columns.find((one) => one.name === word);
    if (column === undefined) continue;
    const figure = toEntry(column);
    const known = figures.get(JSON.stringify(figure));
    figures.set(JSON.stringify(figure), { ...figure, in: [...(known?.in ?? []), name] });
  }
  if (figures.size === 0)
    throw unknownWordError(
      word,
      mart.tables,
      sources.flatMap(({ columns }) => columns),
    );
  return { tables: [], figures: [...figures.values()] };
}

function describeTable(table: string): Tables[number] {
  const { summary, grain } = readModel("mart", table);
  return { name: table, description: summary, grain };
}

/** Lists a table's columns as published, including attributes, which only the user's files define. */
async function listTypedColumns(
  mart: PublishedMart,
  table: string,
): Promise<NonNullable<Tables[number]["columns"]>> {
  const { columns, rows } = await mart.stream(`select * from ${sqlName(table)} where false`);
  for await (const _row of rows);
  const known = new Map(describeColumns(table).map((column) => [column.name, column]));
  return columns.map(({ name, type }) => {
    const column = known.get(name);
    return { ...(column ? toEntry(column) : { name, label: getFigure(name).label, unit: "text" }), type };
  });
}

function toEntry({ name, label, unit, ...column }: ColumnDefinition) {
  return { name, label, unit, definition: joinDefinition(column) };
}

function formatLine({
  name,
  label,
  unit,
  definition,
}: {
  name: string;
  label: string;
  unit: string;
  definition?: string | undefined;
}): string {
  return `${name} (${label}, ${unit})${definition === undefined ? "" : `: ${definition}`}`;
}

function unknownWordError(
  word: string,
  tables: readonly string[],
  columns: readonly { name: string }[],
): VenueError {
  const meant = findClosestWord(word, [...tables, ...columns.map(({ name }) => name)]);
  return new VenueError(
    "UNKNOWN_WORD",
    "usage",
    `No table, figure or column is called ${JSON.stringify(word)}.${meant ? ` Did you mean ${meant}?` : ""} Tables: ${tables.join(", ")}.`,
  );
}

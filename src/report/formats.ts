import type { Formatter } from "./format/formatter.ts";

/** Loaded when used: `--help` needs their names alone. */
const loaders = {
  table: async () => (await import("./format/table/format-table.ts")).formatTable,
  csv: async () => (await import("./format/format-csv.ts")).formatCsv,
  json: async () => (await import("./format/format-json.ts")).formatJson,
  md: async () => (await import("./format/format-markdown.ts")).formatMarkdown,
  html: async () => (await import("./format/format-html.ts")).formatHtml,
  arrow: async () => (await import("./format/binary/format-arrow.ts")).formatArrow,
  parquet: async () => (await import("./format/binary/format-parquet.ts")).formatParquet,
} satisfies Record<string, () => Promise<Formatter>>;

export type FormatName = keyof typeof loaders;

/** What `--format` accepts; a new format is an entry here and the file that it loads. */
export const formatNames = Object.keys(loaders) as FormatName[];

/** Whether a terminal can't show it. */
export function isBinary(format: FormatName): boolean {
  return format === "arrow" || format === "parquet";
}

export function loadFormatter(format: FormatName): Promise<Formatter> {
  return loaders[format]();
}

import type { Formatter } from "./format/formatter.ts";

/** Loaded when used: `--help` needs their names alone. */
const loaders = {
  table: async () => (await import("./format/format-table.ts")).formatTable,
  csv: async () => (await import("./format/format-csv.ts")).formatCsv,
  json: async () => (await import("./format/format-json.ts")).formatJson,
  md: async () => (await import("./format/format-markdown.ts")).formatMarkdown,
} satisfies Record<string, () => Promise<Formatter>>;

export type FormatName = keyof typeof loaders;

/** What `--format` accepts; a new format is an entry here and the file that it loads. */
export const formatNames = Object.keys(loaders) as FormatName[];

export function loadFormatter(format: FormatName): Promise<Formatter> {
  return loaders[format]();
}

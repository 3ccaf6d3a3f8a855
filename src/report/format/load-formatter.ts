import type { FormatName } from "../formats.ts";
import type { Formatter } from "./formatter.ts";

/** Loads a format when it is used. */
export function loadFormatter(name: FormatName): Promise<Formatter> {
  return formatters[name]();
}

const formatters: Readonly<Record<FormatName, () => Promise<Formatter>>> = {
  table: async () => (await import("./table/format-table.ts")).formatTable,
  csv: async () => (await import("./text-formats.ts")).formatCsv,
  json: async () => (await import("./text-formats.ts")).formatJson,
  md: async () => (await import("./text-formats.ts")).formatMarkdown,
  html: async () => (await import("../html/render-report.ts")).formatHtml,
  xlsx: async () => (await import("./xlsx/format-xlsx.ts")).formatXlsx,
  arrow: async () => (await import("./binary/format-arrow.ts")).formatArrow,
  parquet: async () => (await import("./binary/format-parquet.ts")).formatParquet,
};

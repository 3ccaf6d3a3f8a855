import type { Formatter } from "./format/formatter.ts";

interface Format {
  /** File extensions, without the dot. */
  extensions: readonly string[];
  isBinary?: boolean;
  /** Loads the format when it is used, because `--help` needs only names. */
  load(): Promise<Formatter>;
}

/** Formats by name. To add one, add an entry and the file that it loads. */
const formats = {
  table: {
    extensions: ["txt"],
    load: async () => (await import("./format/table/format-table.ts")).formatTable,
  },
  csv: { extensions: ["csv"], load: async () => (await import("./format/text-formats.ts")).formatCsv },
  json: { extensions: ["json"], load: async () => (await import("./format/text-formats.ts")).formatJson },
  md: {
    extensions: ["md", "markdown"],
    load: async () => (await import("./format/text-formats.ts")).formatMarkdown,
  },
  html: {
    extensions: ["html", "htm"],
    load: async () => (await import("./html/render-report.ts")).formatHtml,
  },
  xlsx: {
    extensions: ["xlsx"],
    isBinary: true,
    load: async () => (await import("./format/xlsx/format-xlsx.ts")).formatXlsx,
  },
  arrow: {
    extensions: ["arrow", "arrows"],
    isBinary: true,
    load: async () => (await import("./format/binary/format-arrow.ts")).formatArrow,
  },
  parquet: {
    extensions: ["parquet"],
    isBinary: true,
    load: async () => (await import("./format/binary/format-parquet.ts")).formatParquet,
  },
} satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as FormatName[];

export const formatExtensions = formatNames.map((name) => `.${formats[name].extensions[0]}`);

export function findFormatByExtension(extension: string): FormatName | undefined {
  return formatNames.find((name) => getFormat(name).extensions.includes(extension.toLowerCase()));
}

export function isBinary(name: FormatName): boolean {
  return getFormat(name).isBinary ?? false;
}

export function loadFormatter(name: FormatName): Promise<Formatter> {
  return getFormat(name).load();
}

function getFormat(name: FormatName): Format {
  return formats[name];
}

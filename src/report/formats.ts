import type { Formatter } from "./format/formatter.ts";

interface Format {
  /** File extensions, without the dot. */
  endings: readonly string[];
  isBinary?: boolean;
  /** Loads the format on use: `--help` needs only names. */
  load(): Promise<Formatter>;
}

/** Formats by name. To add one, add an entry and the file that it loads. */
const formats = {
  table: {
    endings: ["txt"],
    load: async () => (await import("./format/table/format-table.ts")).formatTable,
  },
  csv: { endings: ["csv"], load: async () => (await import("./format/text-formats.ts")).formatCsv },
  json: { endings: ["json"], load: async () => (await import("./format/text-formats.ts")).formatJson },
  md: {
    endings: ["md", "markdown"],
    load: async () => (await import("./format/text-formats.ts")).formatMarkdown,
  },
  html: {
    endings: ["html", "htm"],
    load: async () => (await import("./html/render-report.ts")).formatHtml,
  },
  xlsx: {
    endings: ["xlsx"],
    isBinary: true,
    load: async () => (await import("./format/xlsx/format-xlsx.ts")).formatXlsx,
  },
  arrow: {
    endings: ["arrow", "arrows"],
    isBinary: true,
    load: async () => (await import("./format/binary/format-arrow.ts")).formatArrow,
  },
  parquet: {
    endings: ["parquet"],
    isBinary: true,
    load: async () => (await import("./format/binary/format-parquet.ts")).formatParquet,
  },
} satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as FormatName[];

export const formatEndings = formatNames.map((name) => `.${formats[name].endings[0]}`);

export function findFormatOfEnding(ending: string): FormatName | undefined {
  return formatNames.find((name) => formatOf(name).endings.includes(ending.toLowerCase()));
}

export function isBinary(name: FormatName): boolean {
  return formatOf(name).isBinary ?? false;
}

export function loadFormatter(name: FormatName): Promise<Formatter> {
  return formatOf(name).load();
}

function formatOf(name: FormatName): Format {
  return formats[name];
}

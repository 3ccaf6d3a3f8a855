import type { Formatter } from "./format/formatter.ts";

interface Format {
  /** Of file names, without the dot. */
  endings: readonly string[];
  /** Whether a terminal can't show it. */
  isBinary?: boolean;
  /** Loaded when used: `--help` needs names alone. */
  load(): Promise<Formatter>;
}

/** A new format is an entry here and the file that it loads. */
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

/** What `--format` accepts. */
export const formatNames = Object.keys(formats) as FormatName[];

/** The usual ending of each, e.g. `.csv`. */
export const formatEndings = formatNames.map((name) => `.${formats[name].endings[0]}`);

/** The format that a file's ending names, whatever its case. */
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

interface Format {
  /** File extensions, without the dot. */
  extensions: readonly string[];
  isBinary?: boolean;
}

/** Formats by name. To add one, add an entry here and its file in `format/load-formatter.ts`. */
const formats = {
  table: { extensions: ["txt"] },
  csv: { extensions: ["csv"] },
  json: { extensions: ["json"] },
  md: { extensions: ["md", "markdown"] },
  html: { extensions: ["html", "htm"] },
  xlsx: { extensions: ["xlsx"], isBinary: true },
  arrow: { extensions: ["arrow", "arrows"], isBinary: true },
  parquet: { extensions: ["parquet"], isBinary: true },
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

function getFormat(name: FormatName): Format {
  return formats[name];
}

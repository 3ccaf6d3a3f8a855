import { skipByteOrderMark } from "../lines/line-cursor.ts";

/**
 * A file format other than JSON history, with advice on converting it. In the advice, `FILE` is a placeholder for the
 * path.
 */
export interface ForeignFormat {
  name: string;
  advice: string;
}

const pipe = (command: string) => `Run: ${command} | venue load - --kind KIND`;
const exportAdvice = "Export it as JSON Lines, and load that file.";

/** Byte signatures to look for at offset `at` in a file, by default 0. The first match wins. */
const signatures: readonly [name: string, bytes: number[] | string, advice: string, at?: number][] = [
  ["a UTF-32 file", [0xff, 0xfe, 0, 0], pipe("iconv -f UTF-32 -t UTF-8 FILE")],
  ["a UTF-32 file", [0, 0, 0xfe, 0xff], pipe("iconv -f UTF-32 -t UTF-8 FILE")],
  ["a UTF-16 file", [0xff, 0xfe], pipe("iconv -f UTF-16 -t UTF-8 FILE")],
  ["a UTF-16 file", [0xfe, 0xff], pipe("iconv -f UTF-16 -t UTF-8 FILE")],
  ["a UTF-16 file", "{\0", pipe("iconv -f UTF-16LE -t UTF-8 FILE")],
  ["a UTF-16 file", "[\0", pipe("iconv -f UTF-16LE -t UTF-8 FILE")],
  ["a UTF-16 file", "\0{", pipe("iconv -f UTF-16BE -t UTF-8 FILE")],
  ["a UTF-16 file", "\0[", pipe("iconv -f UTF-16BE -t UTF-8 FILE")],
  // A workbook is a ZIP archive whose first file has one of these names, stored at offset 30.
  ...["[Content_Types].xml", "_rels/", "docProps/", "xl/"].map((first): (typeof signatures)[number] => [
    "an Excel workbook",
    first,
    exportAdvice,
    30,
  ]),
  ["a ZIP archive", "PK\x03\x04", pipe("unzip -p FILE")],
  ["a bzip2 file", [0x31, 0x41, 0x59, 0x26, 0x53, 0x59], pipe("bzip2 -dc FILE"), 4],
  ["an xz file", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], pipe("xz -dc FILE")],
  ["a Zstandard file", [0x28, 0xb5, 0x2f, 0xfd], pipe("zstd -dc FILE")],
  ["an LZ4 file", [0x04, 0x22, 0x4d, 0x18], pipe("lz4 -dc FILE")],
  ["a 7-Zip archive", [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], pipe("7z x -so FILE")],
  ["a gzip file inside a gzip file", [0x1f, 0x8b, 0x08], pipe("gzip -dc FILE")],
  ["a tar archive", "ustar", pipe("tar -xOf FILE"), 257],
  ["a Parquet file", "PAR1", exportAdvice],
  ["an Excel workbook", [0xd0, 0xcf, 0x11, 0xe0], exportAdvice],
  ["a PDF document", "%PDF-", exportAdvice],
];

/**
 * Recognises files that are not JSON. A text file in which at least one line begins like JSON is accepted, because a
 * load rejects bad lines one by one.
 * @param head the file's first bytes, decompressed
 */
export function findForeignFormat(head: Buffer): ForeignFormat | undefined {
  for (const [name, bytes, advice, at = 0] of signatures) {
    const expected = typeof bytes === "string" ? Buffer.from(bytes, "latin1") : Buffer.from(bytes);
    if (isAt(head, expected, at)) return { name, advice };
  }
  const text = decodeText(head);
  if (/^\s*[{[]/m.test(text)) return undefined;
  if (/^\s*<(?:!doctype html|html)\b/i.test(text)) {
    return {
      name: "an HTML page",
      advice: "It is probably an error or a login page. Download the file again.",
    };
  }
  if (/^\s*<\?xml\b/i.test(text)) return { name: "an XML file", advice: exportAdvice };
  if (
    /^[^\n]*\b(?:zone_id|play_start)\b[^\n]*[,;\t]|^[^\n]*[,;\t][^\n]*\b(?:zone_id|play_start)\b/.test(text)
  ) {
    return { name: "a CSV file", advice: exportAdvice };
  }
  return undefined;
}

/**
 * Returns true for JSON that is not JSON Lines: an array of records, a page returned by the service
 * (`{"total_count": …, "data": […]}`), or values that span lines.
 * @param head the file's first bytes, decompressed
 */
export function isJsonDocument(head: Buffer): boolean {
  const scalar = String.raw`(?:"[^"\\]*"|[\w.+-]+)`;
  const page = new RegExp(
    String.raw`^\s*\{\s*(?:"(?!zone_id|play_start)[^"\\]*"\s*:\s*${scalar}\s*,\s*)*"data"\s*:\s*\[`,
  );
  const text = decodeText(head);
  return /^\s*\[\s*(?:\{|\]\s*$|$)/.test(text) || /^\s*\{[ \t]*\r?\n\s*["}]/.test(text) || page.test(text);
}

function isAt(head: Buffer, bytes: Buffer, at: number): boolean {
  return head.subarray(at, at + bytes.length).equals(bytes);
}

function decodeText(head: Buffer): string {
  return skipByteOrderMark(head).toString("latin1");
}

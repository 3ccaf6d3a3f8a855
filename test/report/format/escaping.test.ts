import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { readXlsx } from "hucre/xlsx";
import { expect, it } from "vitest";
import { formatCsv } from "../../../src/report/format/text-formats.ts";
import { formatXlsx } from "../../../src/report/format/xlsx/format-xlsx.ts";
import type { Report } from "../../../src/report/result-types.ts";
import { escapeHtml } from "../../../src/util/text/escaping.ts";
import { itInAll } from "../../support/long-suite.ts";

const runs = { numRuns: 300, seed: 20261122 };
/** Arbitrary text, biased towards characters special to CSV, spreadsheets and HTML. */
const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc
    .array(
      fc.constantFrom(
        "=",
        "+",
        "-",
        "@",
        "\t",
        "\r",
        "\n",
        '"',
        ",",
        "'",
        "&",
        "<",
        ">",
        "a",
        "é",
        "\u0000",
        "\u00a0",
        "\u200b",
        "\ufeff",
        "＝",
        "＋",
        "－",
        "＠",
      ),
    )
    .map((characters) => characters.join("")),
);

it("CSV preserves every text, and spreadsheets run none of them", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1 }), async (rows) => {
      const columns = [
        { name: "a", type: "text" },
        { name: "b", type: "text" },
      ];
      const report = { columns, rows: eachOf(rows) } as unknown as Report;
      let written = "";
      for await (const piece of formatCsv(report)) written += piece;
      const read: string[][] = parse(written, { record_delimiter: "\r\n" });
      expect(read.slice(1).map((row) => row.map(withoutApostrophe))).toEqual(
        rows.map((row) => row.map(withoutApostrophe)),
      );
      expect(read.flat().filter(isRun)).toEqual([]);
    }),
    runs,
  );
});

itInAll("a workbook preserves every string as a string, and every id", async () => {
  const id = fc.integer({ min: 0, max: 2 ** 51 - 1 });
  const xmlText = fc.oneof(text, likeEscaped, longText);
  await fc.assert(
    fc.asyncProperty(xmlText, fc.array(fc.tuple(id, xmlText), { minLength: 1 }), async (name, rows) => {
      const columns = [
        { name: "zone_id", type: "integer" },
        { name, type: "text" },
      ];
      const report = { name: "plays", columns, filters: [], notes: [], rows: eachOf(rows) };
      const pieces: Uint8Array[] = [];
      for await (const piece of formatXlsx(report as unknown as Report)) pieces.push(piece);
      const { sheets } = await readXlsx(Buffer.concat(pieces));
      expect(sheets[0]?.rows).toEqual([
        ["zone_id", asInCell(name)],
        ...rows.map(([zoneId, shown]) => [String(zoneId), asInCell(shown)]),
      ]);
    }),
    runs,
  );
});

/** Resembles the escapes in workbooks for characters that XML cannot represent. */
const likeEscaped = fc
  .array(fc.oneof(fc.constantFrom("_", "\u0007", "\r", "x"), fc.stringMatching(/^_x[0-9A-Fa-f]{4}_?$/)))
  .map((pieces) => pieces.join(""));

/** Around the maximum length of a cell. */
const longText = fc
  .tuple(fc.integer({ min: 32_763, max: 32_768 }), fc.constantFrom("", "🎵", "&", "\u0007"))
  .map(([length, end]) => "x".repeat(length) + end);

/** XML cannot represent two characters and lone surrogates; a cell holds a limited number of UTF-16 units. */
function asInCell(plain: string): string {
  const whole = Buffer.from(plain)
    .toString()
    .replaceAll(/[\ufffe\uffff]/g, "\ufffd");
  if (whole.length <= 32_767) return whole;
  let cut = "";
  for (const character of whole) {
    if (cut.length + character.length > 32_766) break;
    cut += character;
  }
  return `${cut}…`;
}

async function* eachOf<Item>(items: readonly Item[]): AsyncIterable<Item> {
  yield* items;
}

/** Removes the apostrophe added before a text that would be run; a text may begin with its own. */
function withoutApostrophe(cell: string): string {
  return cell.startsWith("'") && isRun(cell.slice(1)) ? cell.slice(1) : cell;
}

/** Returns whether a spreadsheet may run a cell: it ignores invisible characters and the width of signs. */
function isRun(cell: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is dropped
  const seen = cell.replace(/^[\u0000-\u0020\u007f-\u00a0\u200b\ufeff]+/, "");
  return /^[\t\n\r]/.test(cell) || ["=", "+", "-", "@"].includes(seen.charAt(0).normalize("NFKC"));
}

it.each([
  ...["=", "＝", "＋", "－", "＠", "﹦", "−"].map((sign) => `${sign}1+1`),
  ..."\u0000 \u0001 \t \u00a0 \u00ad \u200b \u200e \u2060 \u3000 \u3164 \ufeff"
    .split(" ")
    .map((blank) => `${blank}=1+1`),
  " \u0000\ufeff@SUM(A1)",
])("a CSV neutralizes %j", async (name) => {
  const columns = [{ name: "zone_name", type: "text" }];
  let written = "";
  for await (const piece of formatCsv({ columns, rows: eachOf([[name]]) } as unknown as Report))
    written += piece;
  expect(written).toBe(`zone_name\r\n'${name}\r\n`);
});

it("HTML preserves every text, without markup", () => {
  const characters: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  fc.assert(
    fc.property(text, (plain) => {
      const escaped = escapeHtml(plain);
      expect(escaped).not.toMatch(/[<>"']/);
      expect(escaped.replaceAll(/&(#?\w+);/g, (_, name: string) => characters[name] ?? "?")).toBe(plain);
    }),
    runs,
  );
});

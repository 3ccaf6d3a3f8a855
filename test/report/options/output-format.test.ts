import { expect, it } from "vitest";
import { type OutputWords, parseOutputFormat } from "../../../src/report/options/output-format.ts";

it.each<[OutputWords, string]>([
  [{}, "table"],
  [{ out: "plays.txt" }, "table"],
  [{ out: "plays.csv" }, "csv"],
  [{ out: "some.folder/plays.JSON" }, "json"],
  [{ out: "plays.md" }, "md"],
  [{ out: "plays.htm" }, "html"],
  [{ out: "plays.xlsx" }, "xlsx"],
  [{ out: "plays.arrow" }, "arrow"],
  [{ out: "plays.parquet" }, "parquet"],
  [{ out: "/dev/stdout" }, "table"],
  [{ out: "plays.csv", format: "csv" }, "csv"],
  [{ out: "plays.dat", format: "csv" }, "csv"],
  [{ out: "plays.csv", bom: true }, "csv"],
])("%j is the format %s", (words, format) => {
  expect(parseOutputFormat(words)).toBe(format);
});

it.each<[OutputWords, string]>([
  [
    { out: "plays.csv", format: "json" },
    "--out (plays.csv) names the format csv, but json was asked for. Leave out one of the two.",
  ],
  [
    { out: "plays.doc" },
    "--out (plays.doc) does not say which format to write. End the name in .txt, .csv, .json, .md, .html, .xlsx, .arrow, .parquet, or add --format.",
  ],
  [{ bom: true }, "--bom is for CSV, and the output is table. Leave it out."],
])("refuses %j", (words, message) => {
  expect(() => parseOutputFormat(words)).toThrow(message);
});

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
])("%j has the format %s", (words, format) => {
  expect(parseOutputFormat(words)).toBe(format);
});

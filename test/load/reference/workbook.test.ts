import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readFileOrWorkbook } from "../../../src/load/reference/reference-file.ts";
import { zipParts } from "../../../src/util/files/zip-parts.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

/** The lines of a workbook as texts, by column. */
async function read(path: string): Promise<Record<string, string>[]> {
  const { rows } = await readFileOrWorkbook(path.replace(/xlsx$/, "csv"), () => undefined, undefined, 1);
  return rows.map(({ values }) => values);
}

const folder = join(import.meta.dirname, "../../fixtures/workbooks");

it.each(readdirSync(folder).filter((name) => name.endsWith(".xlsx")))(
  "reads the workbook %s",
  async (name) => {
    const day = "2026-11-01";
    expect(await read(join(folder, name))).toEqual([
      { zone_id: "10", region: "North", size: "0.3", code: "007", valid_from: day, open: "true" },
      { zone_id: "11", region: "North", size: "1.21", code: "", valid_from: day, open: "false" },
      { zone_id: "12", region: "", size: "80", code: "Ä & <b>", valid_from: "", open: "" },
    ]);
  },
);

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** A workbook with the columns zone_id and region, and these rows as XML. */
async function writeSheet(rows: string, { merged = "", prefix = "" } = {}): Promise<string> {
  const texts = ["zone_id", "region", "North", "South"].map((text) => `<si><t>${text}</t></si>`).join("");
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`;
  const head = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>';
  const data = `<sheetData>${head}${rows}</sheetData>${merged === "" ? "" : `<mergeCells><mergeCell ref="${merged}"/></mergeCells>`}`;
  const named = prefix === "" ? data : data.replaceAll(/<(\/?)/g, `<$1${prefix}:`);
  const tag = prefix === "" ? "worksheet" : `${prefix}:worksheet`;
  const parts = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    "_rels/.rels": `<Relationships>${relation("rId1", "officeDocument", "xl/workbook.xml")}</Relationships>`,
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${relation("rId1", "worksheet", "worksheets/sheet1.xml")}${relation("rId2", "sharedStrings", "sharedStrings.xml")}</Relationships>`,
    "xl/sharedStrings.xml": `<sst xmlns="${main}">${texts}</sst>`,
    "xl/worksheets/sheet1.xml": `<${tag} xmlns${prefix === "" ? "" : `:${prefix}`}="${main}">${named}</${tag}>`,
  };
  const path = join(createTempFolder(), "zone_attributes.xlsx");
  const archive = Object.entries(parts).map(([name, text]) => ({ name, content: Buffer.from(text) }));
  writeFileSync(path, await zipParts(archive));
  return path;
}

it.each([
  '<c r="B2" t="s"><v/></c>',
  '<c r="B2" t="s"><v></v></c>',
  '<c r="B2" t="s"><v> </v></c>',
  '<c r="B2" t="s"><v xml:space="preserve">\n</v></c>',
  '<c r="B2" t="s" s="1"/>',
  '<c r="B2" t="s"></c>',
  '<c r="B2" t="s"><v>4</v></c>',
  '<c r="B2" t="s"><v>-1</v></c>',
  '<c r="B2" t="b"><v/></c>',
  '<c r="B2"><v> </v></c>',
  '<c r="B2" t="inlineStr"><is><t xml:space="preserve"></t></is></c>',
])("the cell %s is empty", async (cell) => {
  const rows = `<row r="2"><c r="A2"><v>10</v></c>${cell}</row>`;
  const expected = [{ zone_id: "10", region: "" }];
  expect(await read(await writeSheet(rows))).toEqual(expected);
  expect(await read(await writeSheet(rows, { prefix: "x" }))).toEqual(expected);
});

it("an empty cell that doesn't state its place moves no other", async () => {
  const rows = '<row><c><v>10</v></c><c t="s"/></row><row><c t="s"><v/></c><c t="s"><v>2</v></c></row>';
  expect(await read(await writeSheet(rows))).toEqual([
    { zone_id: "10", region: "" },
    { zone_id: "", region: "North" },
  ]);
});

it("a merged value counts for all its rows with content, in its first column", async () => {
  const row = (number: number, cells: string) => `<row r="${number}">${cells}</row>`;
  const rows = [
    row(2, '<c r="A2"><v>10</v></c><c r="B2" t="s"><v>2</v></c>'),
    row(3, '<c r="A3"><v>11</v></c><c r="B3" t="s"><v>3</v></c>'),
    row(5, '<c r="A5"><v>12</v></c>'),
    row(6, '<c r="A6"><v>13</v></c>'),
  ].join("");
  expect(await read(await writeSheet(rows, { merged: "B2:C5" }))).toEqual([
    { zone_id: "10", region: "North" },
    { zone_id: "11", region: "North" },
    { zone_id: "12", region: "North" },
    { zone_id: "13", region: "" },
  ]);
});

it.each([
  ["0.30000000000000004", "0.3"],
  ["1.2100000000000002", "1.21"],
  ["2251799813685247", "2251799813685247"],
  ["-1E-3", "-0.001"],
])("the number %s is read as %s", async (number, text) => {
  const rows = `<row r="2"><c r="A2"><v>10</v></c><c r="B2"><v>${number}</v></c></row>`;
  expect(await read(await writeSheet(rows))).toEqual([{ zone_id: "10", region: text }]);
});

it("a damaged part is not read", async () => {
  const path = await writeSheet('<row r="2"><c r="A2"><v>10</v></c></row>');
  const bytes = readFileSync(path);
  bytes.write("99", bytes.indexOf("<v>10</v>") + 3);
  writeFileSync(path, bytes);
  await expect(read(path)).rejects.toThrow("is not an Excel workbook (xl/worksheets/sheet1.xml is damaged)");
});

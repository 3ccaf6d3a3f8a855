import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type WriteSheet, writeXlsx } from "hucre/xlsx";
import { expect, it } from "vitest";
import {
  type ReferenceRow,
  readFileOrWorkbook,
  readReferenceFile,
} from "../../../src/load/reference/reference-file.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

const columns = ["group_id", "group_name"];

function write(content: string | Buffer): string {
  const path = join(createTempFolder(), "group_names.csv");
  writeFileSync(path, content);
  return path;
}

/** The lines of a file as `line: id, name`. */
function read(path: string): string[] {
  return readReferenceFile(path, columns).rows.map(lineOf);
}

const lineOf = ({ lineNumber, values }: ReferenceRow) =>
  `${lineNumber}: ${values.group_id}, ${values.group_name}`;

it.each<[string, string, string[]]>([
  ["blanks around a value", "group_id,group_name\n 1 ,\t North \n", ["2: 1, North"]],
  ["empty lines", "\n\ngroup_id,group_name\n\n1,North\n \n2,South\n", ["5: 1, North", "7: 2, South"]],
  ["blanks in quotes", 'group_id,group_name\n1," North "\n', ["2: 1, North"]],
  ["comments", "# 0,none\ngroup_id,group_name\n# 1,none\n #2,none\n3,East\n", ["5: 3, East"]],
  ["a leading byte order mark", "\uFEFFgroup_id,group_name\n1,North\n", ["2: 1, North"]],
  ["no final line end", "group_id,group_name\n1,North", ["2: 1, North"]],
  ["semicolons", 'group_id;group_name\n1;North, all\n2;"So;uth"\n', ["2: 1, North, all", "3: 2, So;uth"]],
  ["tabs", "group_id\tgroup_name\n1\tNorth; all\n \t\n2\t South \n", ["2: 1, North; all", "4: 2, South"]],
  [
    "everything a spreadsheet adds",
    '\uFEFF"# a";" b";c\r\n"group_id";"group_name";\r\n"# 1";none;\r\n;;\r\n"1";"North";\r\n',
    ["5: 1, North"],
  ],
  ["no lines", "group_id,group_name\n", []],
  ["nothing", "", []],
  ["only comments", "# group_id,group_name\n", []],
])("reads a file with %s", (_label, text, lines) => expect(read(write(text))).toEqual(lines));

it.each([
  ["a # within", "North #2"],
  ["a comma, in quotes", '"Airports, all"'],
  ["a doubled quote, in quotes", '"The ""North"""'],
  ["other scripts", "東京 Zürich"],
])("a name with %s is kept literally", (_label, name) => {
  const plain = name.replace(/^"(.*)"$/, "$1").replaceAll('""', '"');
  expect(read(write(`group_id,group_name\n1,${name}\n`))).toEqual([`2: 1, ${plain}`]);
});

it("lines of one file may end differently", () => {
  expect(read(write("group_id,group_name\r1,North\r\n2,South\n3,East\r"))).toEqual([
    "2: 1, North",
    "3: 2, South",
    "4: 3, East",
  ]);
});

it("is identified by its text, and a missing file counts as empty", () => {
  const text = "group_id,group_name\n1,Zürich\n";
  const path = write(text);
  expect(readReferenceFile(path, columns)).toEqual({
    path,
    columns,
    sha256: createHash("sha256").update(text).digest("hex"),
    separator: "comma",
    rows: [{ lineNumber: 2, values: { group_id: "1", group_name: "Zürich" } }],
  });
  const missing = `${path}.gone`;
  expect(readReferenceFile(missing, columns)).toEqual({
    path: missing,
    columns: [],
    sha256: createHash("sha256").digest("hex"),
    separator: "comma",
    rows: [],
  });
});

it.each([
  ["with other columns", "# names\nid,name\n1,North\n", 'line 2: "id,name"'],
  ["with the columns in another order", "group_name,group_id\n", 'line 1: "group_name,group_id"'],
  ["with other columns between semicolons", "id;name\n1;North\n", 'line 1: "id;name"'],
  ["with an additional column", "group_id,group_name,city\n", 'line 1: "group_id,group_name,city"'],
  ["with too few values on a line", "group_id,group_name\n1,North\n2\n", 'line 3: "2"'],
  ["with too many values on a line", "group_id,group_name\n\n1,No,rth\n", 'line 3: "1,No,rth"'],
])("a file %s is rejected with the line and the expected columns", (_label, text, line) => {
  const path = write(text);
  expect(() => read(path)).toThrow(
    `${path}, ${line} is invalid; expected the columns group_id,group_name, separated by commas, semicolons or tabs. Fix the line, and run this again.`,
  );
});

it.each([
  ["that is not closed", '1,North\r\n# names\r\n\r\n2,"So', '2,"So'],
  ["within a value", '1,North\r\n# names\r\n\r\n2,So"uth', '2,So"uth'],
  ["that ends too early", '1,North\r\n# names\r\n\r\n 2,"So"uth', '2,"So"uth'],
])("a quote %s is rejected with its line", (_name, text, line) => {
  const path = write(`group_id,group_name\r\n${text}\r\n3,East\r\n4,West\r\n`);
  expect(() => read(path)).toThrow(`${path}, line 5: "${line}" is invalid; expected comma-separated values`);
});

it.each([
  ["the first line", '"group_id,group_name\n1,North\n', '1: ""group_id,group_name"'],
  ["the first line with content", '\n \n# names\rgroup_id,"name\n1,North\n', '4: "group_id,"name"'],
  ["the line after the header", 'group_id,group_name\n1,"North\n2,South\n', '2: "1,"North"'],
  ["a line after another one", 'group_id,group_name\n1,North\n2,So"uth\n3,East\n', '3: "2,So"uth"'],
])("a misplaced quote in %s is rejected with its line", (_label, text, line) => {
  const path = write(text);
  expect(() => read(path)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(`${path}, line ${line} is invalid`),
      cause: expect.objectContaining({ code: expect.stringMatching(/QUOTE/) }),
    }),
  );
});

it("a file that is not UTF-8 is rejected with the first invalid line", () => {
  const path = write(Buffer.from("group_id,group_name\r\n1,Nord\r\n2,Café\r\n3,Zürich\r\n", "latin1"));
  expect(() => read(path)).toThrow(
    `${path}, line 3: "2,Café" is invalid; expected UTF-8 text (in Excel, save as “CSV UTF-8”).`,
  );
});

it("a spreadsheet's Unicode Text, UTF-16 with tabs, is read", () => {
  const utf16 = Buffer.from("\uFEFFgroup_id\tgroup_name\r\n1\tCafé\r\n", "utf16le");
  expect(read(write(utf16))).toEqual(["2: 1, Café"]);
  expect(read(write(Buffer.from(utf16).swap16()))).toEqual(["2: 1, Café"]);
  expect(() => read(write(utf16.subarray(2)))).toThrow(/line 1: "group_id\tgroup_name" .* UTF-8 text/);
  expect(() => read(write(utf16.subarray(0, -1)))).toThrow("expected UTF-8 text");
});

it("the error of a formula is not a value", () => {
  for (const value of ["#N/A", "#NV", "#REF!"])
    expect(() => read(write(`group_id;group_name\n1;North\n2;${value}\n`))).toThrow(
      `line 3: "${value}" is invalid; expected a value instead of the error of a formula.`,
    );
});

it("a workbook named as a CSV is rejected with its right name", async () => {
  const path = write(
    Buffer.from(await writeXlsx({ sheets: [{ name: "Groups", rows: [columns, [1, "North"]] }] })),
  );
  expect(() => read(path)).toThrow(
    `${path} is a workbook, not a CSV file. If Excel wrote it, rename it to group_names.xlsx.`,
  );
});

/** Sheets of a workbook in place of a CSV, and its lines, or its error. */
it.each<[string, WriteSheet[], string[] | string]>([
  [
    "an empty and a hidden sheet before it",
    [
      { name: "Sheet1", rows: [[], [" "]] },
      { name: "Old", hidden: true, rows: [columns, [1, "Old"]] },
      { name: "Groups", rows: [columns, [1, "North"], [], [2, " South "]] },
      { name: "Other", rows: [["x"]] },
    ],
    ["2: 1, North", "4: 2, South"],
  ],
  ["nothing", [{ name: "Groups", rows: [] }], []],
  [
    "another sheet before it",
    [
      { name: "Notes", rows: [["Our groups"]] },
      { name: "Groups", rows: [columns, [1, "North"]] },
    ],
    'line 1: "Our groups" is invalid; expected the columns group_id,group_name in the sheet "Notes", the first one with content.',
  ],
  [
    "results of formulas",
    [
      {
        name: "Groups",
        rows: [columns, [1]],
        cells: new Map([["1,1", { formula: '"No"&"rth"', formulaResult: "North" }]]),
      },
    ],
    ["2: 1, North"],
  ],
  [
    "a formula that nothing calculated",
    [{ name: "Groups", rows: [columns, [1]], cells: new Map([["1,1", { formula: '"No"&"rth"' }]]) }],
    'line 2: "="No"&"rth"" is invalid; expected a formula with a result (open the file in a spreadsheet and save it).',
  ],
  [
    "the error of a formula in place of an id",
    [{ name: "Groups", rows: [columns, ["#N/A", "North"]] }],
    'line 2: "#N/A" is invalid; expected a value instead of the error of a formula.',
  ],
])("a workbook with %s", async (_label, sheets, expected) => {
  const path = join(createTempFolder(), "group_names.xlsx");
  writeFileSync(path, await writeXlsx({ sheets }));
  const found = readFileOrWorkbook(path.replace(/xlsx$/, "csv"), columns);
  if (typeof expected === "string") await expect(found).rejects.toThrow(`${path}, ${expected}`);
  else expect((await found).rows.map(lineOf)).toEqual(expected);
});

it.each<[string, (path: string) => unknown]>([
  ["a folder", (path) => mkdirSync(path)],
  ["a pipe that nobody writes to", (path) => execFileSync("mkfifo", [path])],
])("%s in place of a reference file is rejected by name", (_, make) => {
  const path = join(createTempFolder(), "group_names.csv");
  make(path);
  expect(() => read(path)).toThrow(
    `${path} is not a file. Replace it with a CSV file or remove it, and run this again.`,
  );
});

it("a broken link is not a missing file: its previous entries are kept", () => {
  const path = join(createTempFolder(), "group_names.csv");
  symlinkSync("/nowhere/group_names.csv", path);
  expect(() => read(path)).toThrow(
    `${path} is a link to a missing file. Replace it with a CSV file or remove it, and run this again.`,
  );
});

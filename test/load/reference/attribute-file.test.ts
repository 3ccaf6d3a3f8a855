import { join } from "node:path";
import { expect, it } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { checkReference } from "../../../src/load/reference/check-reference.ts";
import { writeReference } from "./write-reference.ts";

async function check(name: string, content: string) {
  const folder = writeReference({ [name]: content });
  const database = await DuckDb.open();
  const files = await checkReference(database, folder);
  database.close();
  const { rows = [], mistakes = [], warnings = [] } = files.find((file) => file.name === name) ?? {};
  const text = ({ message }: { message: string }) =>
    message.replace(`${join(folder, name)}, `, "").replace(/ Fix the line.*/, "");
  return { rows, mistakes: mistakes.map(text), warnings: warnings.map(text) };
}

it("reads columns in any order, without remarks and empty values", async () => {
  const { rows, mistakes, warnings } = await check(
    "zone_attributes.csv",
    "zone_name;region;zone_id;valid_to;brand\nFirst;North;7;2026-05-31;\n;South;7;;Bar\n".replace(
      "7;;Bar",
      "8;;Bar",
    ),
  );
  expect({ mistakes, warnings }).toEqual({ mistakes: [], warnings: [] });
  const row = { subject: "zone", valid_from: "1900-01-01" };
  expect(rows).toEqual([
    { ...row, subject_key: 7, name: "region", value: "North", valid_to: "2026-05-31" },
    { ...row, subject_key: 8, name: "region", value: "South", valid_to: "2099-12-31" },
    { ...row, subject_key: 8, name: "brand", value: "Bar", valid_to: "2099-12-31" },
  ]);
});

it.each(["2099-12-31", "2100-01-01", "9999-12-31"])("valid_to %s is no end", async (date) => {
  const { rows, mistakes } = await check("zone_attributes.csv", `zone_id,region,valid_to\n7,North,${date}\n`);
  expect(mistakes).toEqual([]);
  expect(rows).toMatchObject([{ value: "North", valid_from: "1900-01-01", valid_to: "2099-12-31" }]);
});

it.each([
  ["zone_attributes.csv", "region\nNorth\n", /line 1: "region" is invalid; expected the key zone_id/],
  ["zone_attributes.csv", "zone_id,Store Manager\n", /"Store Manager" is invalid; .* such as store_manager/],
  ["zone_attributes.csv", "zone_id,month\n1,5\n", /"month" is invalid; expected a different column name/],
  ["zone_attributes.csv", "zone_id,plays\n1,5\n", /"plays" is invalid/],
  ["zone_attributes.csv", "zone_id,region,region\n", /"region" is invalid; expected each column once/],
  ["zone_attributes.csv", "zone_id,region\nx,North\n", /line 2: "x" is invalid; expected a zone_id/],
  [
    "campaign_attributes.csv",
    "kind,campaign_id,advertiser\nmusic,1,Acme\n",
    /"music" .* a kind: signage, messaging/,
  ],
  ["zone_attributes.csv", "zone_id,region,valid_from\n1,North,1.6.2026\n", /"1.6.2026" .* YYYY-MM-DD/],
  ["zone_attributes.csv", "zone_id,region,valid_to\n1,North,9999-02-30\n", /"9999-02-30" .* YYYY-MM-DD/],
  ["zone_attributes.csv", "zone_id,region,valid_from\n1,North,2100-01-01\n", /"2100-01-01" .* YYYY-MM-DD/],
  [
    "zone_attributes.csv",
    "zone_id,region,valid_from,valid_to\n1,North,2026-06-01,2026-05-01\n",
    /"2026-06-01 to 2026-05-01" is invalid; expected valid_from up to valid_to/,
  ],
  [
    "zone_attributes.csv",
    "zone_id,region,valid_from,valid_to\n1,South,2026-06-01,\n1,North,,2026-06-01\n",
    /line 3: "region North" is invalid; expected dates that do not overlap those of line 2/,
  ],
])("%s reports %j", async (name, content, message) => {
  const { rows, mistakes } = await check(name, content);
  expect(rows).toEqual([]);
  expect(mistakes).toEqual([expect.stringMatching(message)]);
});

it("warns of values that differ only in case or spaces", async () => {
  const { rows, mistakes, warnings } = await check(
    "zone_attributes.csv",
    "zone_id,region,brand\n1,North East,north\n2,north  east,North\n3,North East,\n",
  );
  expect(rows).toHaveLength(5);
  expect(mistakes).toEqual([]);
  expect(warnings).toEqual([
    'line 3: region "north  east" differs only in case or spaces from "North East" in line 2.',
    'line 3: brand "North" differs only in case or spaces from "north" in line 2.',
  ]);
});

it.each([
  ["Nroth", true],
  ["Norrth", true],
  ["Nortg", true],
  ["Anorth", true],
  ["Nrtoh", false],
  ["Noorrth", false],
  ["Norths", true],
  ["North", false],
  ["North1", false],
  ["Barz", false],
  ["Nroth,Nroth", false],
])("warns of a value of one zone that is one letter from that of three: %s", async (values, isWarned) => {
  const usual = ["North", "North", "North", "Bars", "Bars", "Bars", "South", "South"];
  const lines = [...usual, ...values.split(",")].map((value, index) => `${index + 1},${value}`);
  const { mistakes, warnings } = await check("zone_attributes.csv", `zone_id,region\n${lines.join("\n")}\n`);
  expect(mistakes).toEqual([]);
  expect(warnings).toEqual(isWarned ? [`line 10: region "${values}" may be "North".`] : []);
});

it("warns of misspelled values by attribute, on each line of their zone", async () => {
  const { warnings } = await check(
    "zone_attributes.csv",
    `zone_id,region,brand,valid_from,valid_to\n1,North,,,\n2,North,Nroth,,\n3,North,,,\n4,Northe,,,2026-01-31\n4,Northe,,2026-02-01,\n`,
  );
  expect(warnings).toEqual([
    'line 5: region "Northe" may be "North".',
    'line 6: region "Northe" may be "North".',
  ]);
});

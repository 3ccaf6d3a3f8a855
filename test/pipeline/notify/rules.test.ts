import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeXlsx } from "hucre/xlsx";
import { expect, it } from "vitest";
import { readRules } from "../../../src/pipeline/notify/rules/read-rules.ts";
import { stableText } from "../../support/stable-text.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

async function read(text: string | Uint8Array, file = "notify.csv") {
  const folder = createTempFolder();
  writeFileSync(join(folder, file), text);
  const { rules, mistakes } = await readRules(folder);
  return { names: rules.map(({ name }) => name), rules, mistakes: mistakes.map(stableText).join("\n") };
}

it("reports every mistake with its line, and keeps the other rules", async () => {
  const lines = [
    "name,when,view,to,attach,days,remind_days,for",
    "good,rows,/devices?only=down,webhook:ops",
    "good,rows,/outages,webhook:ops",
    "No Name,rows,/devices,webhook:ops",
    ",rows,/devices,webhook:ops",
    "b1,sometimes,/devices,webhook:ops",
    "b2,plays < few,/plays?by=zone,webhook:ops",
    "b3,plays = 0,/plays?by=zone,webhook:ops",
    "b4,,/plays?by=zone,webhook:ops",
    "b5,rows,devices,webhook:ops",
    "b6,rows,/device,webhook:ops",
    "b7,rows,https://venue.example.com/devices,webhook:ops",
    "b8,rows,/devices?onyl=down,webhook:ops",
    "b9,rows,/devices?only=dwon,webhook:ops",
    "c1,rows,/plays?by=zone&top=many,webhook:ops",
    "c2,rows,/compliance?by=campaign,zone&only=missed,webhook:ops",
    "c3,rows,/compliance?from=2026-02-30,webhook:ops",
    "c4,rows,/plays?as-of=v000007,webhook:ops",
    "c5,rows,/rejects,webhook:ops",
    "c6,plays < 3,/,webhook:ops",
    "c7,always,/,webhook:ops,xlsx",
    "d1,rows,/devices,ann@example.com",
    "d2,rows,/devices,mailto:",
    "d3,rows,/devices,mailto:Ann",
    'd4,rows,/devices,"mailto:ann@example.com,webhook:ops"',
    "d5,rows,/devices,webhook:https://hooks.example.com/secret",
    "e1,rows,/devices,webhook:ops,pdf",
    "e2,rows,/devices,webhook:ops,,monday",
    "e3,rows,/devices,webhook:ops,,,soon",
    "e4,rows,/devices,webhook:ops,,,0",
    "e5,always,/devices,webhook:ops,,,1",
    "e6,rows",
    "e7,rows,/compliance?by=campaign,zone&only=missed,webhook:ops,,,3,30m",
    "e8,rows,/devices,webhook:ops,,,,30",
    "e9,rows,/devices,webhook:ops,,,,0h",
    "f1,always,/devices,webhook:ops,,,,30m",
    "last,always,/devices,webhook:ops",
  ];
  const { names, mistakes } = await read(lines.join("\n"));
  expect(names).toEqual(["good", "last"]);
  expect(mistakes).toMatchInlineSnapshot(`
    "FOLDER/notify.csv, line 3: "good" is invalid; expected a name that no other rule has. Fix the line, and run this again.
    FOLDER/notify.csv, line 4: "No Name" is invalid; expected a name of lower-case letters, digits, - and _, beginning with a letter. Fix the line, and run this again.
    FOLDER/notify.csv, line 5: "" is invalid; expected a name of lower-case letters, digits, - and _, beginning with a letter. Fix the line, and run this again.
    FOLDER/notify.csv, line 6: "sometimes" is invalid; expected always, rows, or a comparison such as compliance < 0.9. Fix the line, and run this again.
    FOLDER/notify.csv, line 7: "plays < few" is invalid; expected always, rows, or a comparison such as compliance < 0.9. Fix the line, and run this again.
    FOLDER/notify.csv, line 8: "plays = 0" is invalid; expected always, rows, or a comparison such as compliance < 0.9. Fix the line, and run this again.
    FOLDER/notify.csv, line 9: "" is invalid; expected always, rows, or a comparison such as compliance < 0.9. Fix the line, and run this again.
    FOLDER/notify.csv, line 10: "devices" is invalid; expected the address of a page of venue serve, such as /compliance?by=campaign,zone&only=missed. Fix the line, and run this again.
    FOLDER/notify.csv, line 11: "/device" is invalid; expected the address of a page of venue serve, such as /compliance?by=campaign,zone&only=missed. Fix the line, and run this again.
    FOLDER/notify.csv, line 12: "https://venue.example.com/devices" is invalid; expected the address of a page of venue serve, such as /compliance?by=campaign,zone&only=missed. Fix the line, and run this again.
    FOLDER/notify.csv, line 13: Unknown parameter onyl. This page takes by, from, to, compare, group, location, zone, kind, campaign, where, item, artist, device, load, within, only, top, per, sort, search, compare-from, compare-to, period, as-of.
    FOLDER/notify.csv, line 14: only does not take "dwon". Did you mean down? It takes down, silent, unknown, up, replaced.
    FOLDER/notify.csv, line 15: top (many) must be a whole number, 1 or more.
    FOLDER/notify.csv, line 16: "zone&only=missed" is invalid; expected mailto: and addresses, or webhook: and names from venue notify add; a view with commas needs quotes. Fix the line, and run this again.
    FOLDER/notify.csv, line 17: from (2026-02-30) is not a valid date. Write it as YYYY-MM-DD, or as in 7d, yesterday, this-week, last-week, this-month, last-month, 2026-W47, 2026-10, 2026-Q4.
    FOLDER/notify.csv, line 18: "/plays?as-of=v000007" is invalid; expected an address without as-of. Fix the line, and run this again.
    FOLDER/notify.csv, line 19: "/rejects" is invalid; expected the page of another report, or "always" in the column when: rows of rejects do not begin and end. Fix the line, and run this again.
    FOLDER/notify.csv, line 20: "plays < 3" is invalid; expected always or rows for the overview. Fix the line, and run this again.
    FOLDER/notify.csv, line 21: "xlsx" is invalid; expected no attachment for the overview. Fix the line, and run this again.
    FOLDER/notify.csv, line 22: "ann@example.com" is invalid; expected mailto: and addresses, or webhook: and names from venue notify add; a view with commas needs quotes. Fix the line, and run this again.
    FOLDER/notify.csv, line 23: "mailto:" is invalid; expected mailto: and addresses, or webhook: and names from venue notify add; a view with commas needs quotes. Fix the line, and run this again.
    FOLDER/notify.csv, line 24: "mailto:Ann" is invalid; expected mailto: and addresses, or webhook: and names from venue notify add; a view with commas needs quotes. Fix the line, and run this again.
    FOLDER/notify.csv, line 25: "mailto:ann@example.com,webhook:ops" is invalid; expected mailto: and addresses, or webhook: and names from venue notify add; a view with commas needs quotes. Fix the line, and run this again.
    FOLDER/notify.csv, line 26: "webhook:https:…" is invalid; expected mailto: and addresses, or webhook: and names from venue notify add; a view with commas needs quotes. Fix the line, and run this again.
    FOLDER/notify.csv, line 27: "pdf" is invalid; expected xlsx, csv, html. Fix the line, and run this again.
    FOLDER/notify.csv, line 28: "monday" is invalid; expected sun, mon, tue, wed, thu, fri, sat. Fix the line, and run this again.
    FOLDER/notify.csv, line 29: "soon" is invalid; expected a number of days from 1 to 999. Fix the line, and run this again.
    FOLDER/notify.csv, line 30: "0" is invalid; expected a number of days from 1 to 999. Fix the line, and run this again.
    FOLDER/notify.csv, line 31: "1" is invalid; expected no remind_days with always. Fix the line, and run this again.
    FOLDER/notify.csv, line 32: "e6,rows" is invalid; expected the columns name,when,view,to,attach,days,remind_days,for, separated by commas, semicolons or tabs. Put values with commas in quotes: "/plays?by=zone,date". Fix the line, and run this again.
    FOLDER/notify.csv, line 33: "e7,rows,/compliance?by=campaign,zone&only=missed,webhook:ops,,,3,30m" is invalid; expected the columns name,when,view,to,attach,days,remind_days,for, separated by commas, semicolons or tabs. Put values with commas in quotes: "/plays?by=zone,date". Fix the line, and run this again.
    FOLDER/notify.csv, line 34: "30" is invalid; expected minutes, hours or days, such as 30m, 2h or 1d. Fix the line, and run this again.
    FOLDER/notify.csv, line 35: "0h" is invalid; expected minutes, hours or days, such as 30m, 2h or 1d. Fix the line, and run this again.
    FOLDER/notify.csv, line 36: "30m" is invalid; expected no "for" with always. Fix the line, and run this again."
  `);
});

it("reads quoted values, ratios, several recipients, days in any case, and spaces", async () => {
  const { rules, mistakes } = await read(
    "\ufeffname,when,view,to,attach,days,remind_days,for\r\n" +
      '  low , compliance<=87.5% ,"/compliance?by=campaign,zone","mailto:a@example.com, b@example.com,a@example.com",XLSX,"Mon, FRI",14,90m\r\n' +
      "all,rows,/,webhook:ops,,,\r\n",
  );
  expect(mistakes).toBe("");
  expect(rules).toMatchObject([
    {
      name: "low",
      condition: { column: "compliance", operator: "<=", limit: 0.875 },
      address: "compliance?by=campaign,zone",
      recipients: ["mailto:a@example.com", "mailto:b@example.com"],
      attach: "xlsx",
      days: ["mon", "fri"],
      remindDays: 14,
      forHours: 1.5,
    },
    { name: "all", condition: "rows", address: "", recipients: ["webhook:ops"] },
  ]);
});

it("reads a file with semicolons, as some spreadsheets save it, and a workbook", async () => {
  const rows = [
    ["name", "when", "view", "to", "attach", "days", "remind_days"],
    ["missed", "rows", "/compliance?by=campaign,zone&only=missed", "webhook:ops,desk", "", "mon,tue", "3"],
    ["wrong", "rows", "/devices", "webhook:ops", "", "", "3.5"],
    ["short", "rows", "/devices", "webhook:ops"],
  ];
  const semicolons = await read(rows.map((row) => row.join(";")).join("\n"));
  const typed = rows.map((row) => row.map((value) => (/^[\d.]+$/.test(value) ? Number(value) : value)));
  const workbook = await read(await writeXlsx({ sheets: [{ name: "Rules", rows: typed }] }), "notify.xlsx");
  for (const { rules } of [semicolons, workbook])
    expect(rules).toMatchObject([
      { name: "missed", recipients: ["webhook:ops", "webhook:desk"], days: ["mon", "tue"], remindDays: 3 },
      { name: "short" },
    ]);
  expect([semicolons.mistakes, workbook.mistakes]).toMatchInlineSnapshot(`
    [
      "FOLDER/notify.csv, line 3: "3.5" is invalid; expected a number of days from 1 to 999. Fix the line, and run this again.",
      "FOLDER/notify.xlsx, line 3: "3.5" is invalid; expected a number of days from 1 to 999. Fix the line, and run this again.",
    ]
  `);
});

it("accepts custom reports, and returns no rules without a file", async () => {
  const folder = createTempFolder();
  expect((await readRules(folder)).rules).toEqual([]);
  mkdirSync(join(folder, "reports"));
  writeFileSync(join(folder, "reports", "late.sql"), "-- Late.\n\nselect zone_id from dim_zone");
  writeFileSync(join(folder, "notify.csv"), "name,when,view,to\nlate,rows,/late,webhook:ops\n");
  const { rules, mistakes } = await readRules(folder);
  expect(mistakes).toEqual([]);
  expect(rules[0]?.request?.custom?.name).toBe("late");
});

it.each([
  ["an unknown column", "name,when,view,recipient\n"],
  ["a missing column", "name,when,view\n"],
  ["no text", Buffer.from([0xff, 0xfe, 0x80, 0x0a])],
])("refuses a file with %s", async (_label, text) => {
  await expect(read(text)).rejects.toThrow(/notify\.csv/);
});

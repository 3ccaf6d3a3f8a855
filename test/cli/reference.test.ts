import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readXlsx, writeXlsx } from "hucre/xlsx";
import { beforeEach, expect, it } from "vitest";
import { footfallColumns } from "../../src/load/reference/footfall.ts";
import { musicLine } from "../load/load-fixture.ts";
import { itInAll } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { setUp } from "../support/service.ts";
import { shareFolder } from "../support/shared-folder.ts";
import { createTempFolder } from "../support/temp-folder.ts";

let workingFolder: string;
const environment = (folder: string) => ({
  VENUE_DATA_DIR: join(folder, "data"),
  VENUE_HOME: join(folder, "home"),
  VENUE_NOW: "2026-11-21T08:00:00Z",
});
const run = (...words: string[]) =>
  runVenue(words, { workingFolder, environment: environment(workingFolder) });
const path = (name: string) => join(workingFolder, "data", "reference", name);
const write = (files: Record<string, string | Uint8Array>) => {
  rmSync(path(""), { recursive: true, force: true });
  mkdirSync(path(""));
  for (const [name, content] of Object.entries(files)) writeFileSync(path(name), content);
};

/** Zones 7 and 8 are published. */
beforeEach(async () => {
  workingFolder = createTempFolder();
  const published = await shareFolder("reference", async (folder) => {
    const lines = [musicLine(), musicLine({ zone_id: 8, zone_name: "=Bar, upstairs" })];
    writeFileSync(join(folder, "lines.jsonl"), `${lines.join("\n")}\n`);
    for (const words of [["load", "lines.jsonl", "--kind", "music"], ["build"]]) {
      const { code, stderr } = await runVenue(words, {
        workingFolder: folder,
        environment: environment(folder),
      });
      expect(code, stderr).toBe(0);
    }
  });
  cpSync(published, workingFolder, { recursive: true, verbatimSymlinks: true });
});

it("reports lines with unknown ids, or with two spellings of a value", async () => {
  write({
    "zone_attributes.csv": "zone_id,region\n7,North\n98,North\n99,north\n",
    "location_attributes.csv": "location_id,region\n12345,NORTH\n",
    "campaign_attributes.csv": "kind,campaign_id,advertiser\nsignage,5,Acme\n",
    "item_attributes.csv": "kind,item_id,genre\nsignage,5,Jazz\n",
    "zone_kinds.csv": "zone_id,kind\n7,music\n99,music\n",
    "opening_hours.csv": "zone_id,day_of_week,opens,closes\n97,1,9:00,17:00\n",
    "group_names.csv": "group_id,group_name\n96,North\n",
    "campaign_targets.csv": "kind,campaign_id,compliance\nsignage,5,95 %\n",
    "footfall.csv": `${footfallColumns.join()}\n7,,,,,,1,,counter\n95,,,,,,1,,counter\n,94,,,,,1,,counter\n`,
  });
  const { code, stdout } = await run("reference", "check");
  expect(code).toBe(0);
  const warnings = stdout.split("\n").filter((line) => line.startsWith("WARN"));
  expect(warnings.map((line) => line.replace(`WARN  ${path("")}/`, ""))).toEqual([
    "group_names.csv, line 2: group 96 is not in the published data. Check the id.",
    "opening_hours.csv, line 2: zone 97 is not in the published data. Check the id.",
    "zone_kinds.csv, line 3: zone 99 is not in the published data. Check the id.",
    "campaign_targets.csv, line 2: campaign signage 5 is not in the published data. Check the id.",
    "footfall.csv, line 3: zone 95 is not in the published data. Check the id.",
    "footfall.csv, line 4: location 94 is not in the published data. Check the id.",
    "zone_attributes.csv, line 3: zone 98 is not in the published data. Check the id.",
    'zone_attributes.csv, line 4: region "north" differs only in case or spaces from "North" in line 2.',
    "zone_attributes.csv, line 4: zone 99 is not in the published data. Check the id.",
    'location_attributes.csv, line 2: region "NORTH" differs only in case or spaces from "North" in zone_attributes.csv, line 2.',
    "location_attributes.csv, line 2: location 12345 is not in the published data. Check the id.",
    "campaign_attributes.csv, line 2: campaign signage 5 is not in the published data. Check the id.",
    "item_attributes.csv, line 2: item signage 5 is not in the published data. Check the id.",
  ]);
  const json = JSON.parse((await run("reference", "check", "--json")).stdout);
  expect(json.files).toContainEqual(
    expect.objectContaining({
      name: "zone_kinds.csv",
      lines: 2,
      mistakes: [],
      warnings: [{ line_number: 3, message: expect.stringContaining("zone 99 is not in") }],
    }),
  );
  writeFileSync(path("zone_attribute.csv"), "zone_id,region\n7,North\n");
  const { stderr } = await run("build");
  expect(stderr).toContain(`${path("zone_attribute.csv")} is not read. If it is`);
  expect(stderr).toContain(
    "zone_attributes.csv: 2 lines have unknown ids (line 3: zone 98). Run `venue reference check`.",
  );
  expect(stderr).toContain("zone_kinds.csv: 1 line has an unknown id (line 3: zone 99).");
  expect(stderr).toContain(
    "zone_attributes.csv: 1 value may be misspelled (line 4). Run `venue reference check`.",
  );
});

it("reports files that are not read", async () => {
  write({
    "zone_attribute.csv": "zone_id,region\n7,North\n",
    "Regions.xls": "",
    "item_attributes.xlsx": await writeXlsx({ sheets: [] }),
    "~$item_attributes.xlsx": "",
    "README.md": "",
  });
  const message = (name: string, meant: string) =>
    `${path(name)} is not read. If it is a reference file, give it a name such as ${meant}.`;
  const messages = [
    message("Regions.xls", "zone_attributes.csv"),
    message("zone_attribute.csv", "zone_attributes.csv"),
  ];
  const { stdout } = await run("reference", "check");
  expect(stdout.split("\n").filter((line) => line.startsWith("WARN"))).toEqual(
    messages.map((text) => `WARN  ${text}`),
  );
});

it("a build does not warn of ids that it adds itself", async () => {
  const reference = { "zone_attributes.csv": "zone_id,region\n7,North\n9,South\n99,South\n" };
  const warnings = async () =>
    (await run("build")).stderr.split("\n").filter((line) => line.includes("zone_attributes.csv"));
  const unknown = (text: string) => [expect.stringContaining(`zone_attributes.csv: ${text}. Run`)];
  write(reference);
  writeFileSync(join(workingFolder, "more.jsonl"), `${musicLine({ zone_id: 9 })}\n`);
  expect((await run("load", "more.jsonl", "--kind", "music")).code).toBe(0);
  expect(await warnings(), "a new zone").toEqual(unknown("1 line has an unknown id (line 4: zone 99)"));

  workingFolder = createTempFolder();
  writeFileSync(join(workingFolder, "first.jsonl"), `${musicLine()}\n${musicLine({ zone_id: 9 })}\n`);
  expect((await run("load", "first.jsonl", "--kind", "music")).code).toBe(0);
  write(reference);
  expect(await warnings(), "the first build").toEqual(unknown("1 line has an unknown id (line 4: zone 99)"));
});

it("writes everything that is published with the values of the file, as a CSV", async () => {
  write({ "zone_attributes.csv": 'brand,zone_id,valid_to\n"A, B",99,\nOld,8,2026-05-31\nNew,8,\n' });
  const { stdout } = await run("reference", "template", "zone_attributes");
  const [header, ...lines] = stdout.trimEnd().split("\n");
  expect(header).toBe("zone_id,zone_name,location_id,location_name,brand,valid_from,valid_to");
  expect(lines).toMatchInlineSnapshot(`
    [
      "7,Ground floor,51,Main Street,,,",
      "8,"'=Bar, upstairs",51,Main Street,Old,,2026-05-31",
      "8,"'=Bar, upstairs",51,Main Street,New,,",
      "99,,,,"A, B",,",
    ]
  `);
  const out = await run("reference", "template", "item_attributes", "--out", "items.csv");
  expect([out.code, out.stderr]).toEqual([0, expect.stringMatching(/Wrote items\.csv\.\n$/)]);
  expect(readFileSync(join(workingFolder, "items.csv"), "utf8")).toMatch(
    /^\uFEFFkind,item_id,item_name,genre,valid_from,valid_to\nmusic,/,
  );
  const misplaced = await run("reference", "template", "zone_attributes", "--out", "zone_attributes.xlsx");
  expect([misplaced.code, misplaced.stderr]).toEqual([
    0,
    expect.stringContaining(
      `zone_attributes.xlsx is not in ${join(workingFolder, "data", "reference")}, so builds will not read it.`,
    ),
  ]);
  const odd = await run("reference", "template", "zone_attributes", "--out", "zones.ods");
  expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining("neither a .csv nor an .xlsx file")]);
});

it("for an unknown attribute in a report, suggests a column and a build", async () => {
  const asked = [
    ["--by", "region,week"],
    ["--where", "region=North"],
    ["--split", "region", "--out", "{region}.csv"],
  ];
  const messages = async () =>
    await Promise.all(asked.map(async (words) => (await run("report", "plays", ...words)).stderr));
  const file = path("zone_attributes.csv");
  const command = "`venue reference template zone_attributes`";
  write({});
  for (const message of await messages())
    expect(message).toContain(
      ` For a custom term, add a column region to ${file} (${command}), and run \`venue build\`.\n`,
    );
  write({ "zone_attributes.csv": "zone_id,region\n7,\n" });
  for (const message of await messages())
    expect(message).toContain(
      ` ${file} has the column region: fill it in (${command}), and run \`venue build\`.\n`,
    );
  write({ "location_attributes.csv": "location_id,region\n51,North\n" });
  for (const message of await messages())
    expect(message).toContain(
      ` ${path("location_attributes.csv")} has the column region: run \`venue build\`.\n`,
    );
  expect((await run("build")).code).toBe(0);
  for (const words of asked) expect((await run("report", "plays", ...words)).code).toBe(0);
  const near = await run("report", "plays", "--by", "Reigon");
  expect(near.stderr).toMatch(
    /does not take "reigon"\. Did you mean region\? It takes kind, .*, region\.\n$/,
  );
  const reserved = await run("report", "plays", "--by", "complete_plays");
  expect(reserved.stderr).toMatch(/does not take "complete_plays"\. It takes kind, .*, region\.\n$/);
});

it.each([".csv", ".xlsx"])(
  "a template written over an edited %s file keeps its values",
  async (extension) => {
    const values = [
      "=1+1",
      "+49 30 1",
      "007",
      "Infinity",
      "NaN",
      "1e3",
      "1.50",
      "12",
      'say "hi"',
      "a; b, c",
      "two\nlines",
    ];
    const cells = values.map((value) => `"${value.replaceAll('"', '""')}"`);
    write({
      "zone_attributes.csv": [
        `zone_id,zone_name,group_name,${values.map((_, index) => `a${index}_name`).join()}`,
        `7,,Mine,${cells.join()}`,
        `99,Planned,"Yours, too",${cells.toReversed().join()}\n`,
      ].join("\n"),
    });
    const template = async (out: string) => {
      const { code, stderr } = await run("reference", "template", "zone_attributes", "--out", out);
      return [code, stderr];
    };
    const out = path(`zone_attributes${extension}`);
    const isReplaced = extension === ".xlsx";
    const next = isReplaced
      ? `Remove ${path("zone_attributes.csv")}, which it replaces. Fill in the new file, then run \`venue build\`.`
      : "Fill it in, then run `venue build`.";
    expect(await template(out)).toEqual([0, expect.stringContaining(`Wrote ${out}. ${next}\n`)]);
    if (isReplaced) rmSync(path("zone_attributes.csv"));
    const before = (await run("reference", "template", "zone_attributes")).stdout;
    for (const [zone, own] of [
      ["7,Ground floor,51,Main Street,Mine", values],
      ['99,Planned,,,"Yours, too"', values.toReversed()],
    ] as const)
      expect(before).toContain(
        `\n${zone},${own.map((value) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join()},,\n`,
      );
    expect((await template(out))[0], "again").toBe(0);
    expect((await run("reference", "template", "zone_attributes")).stdout).toBe(before);
    const elsewhere = join(workingFolder, `zones${extension}`);
    expect((await template(elsewhere))[0]).toBe(0);
    expect(await template(elsewhere)).toEqual([2, expect.stringContaining(`${elsewhere} exists`)]);
  },
);

it("a workbook replaces a CSV, with numbers, dates and times of its cells", async () => {
  write({ "zone_attributes.csv": "zone_id,region\n# none yet\n" });
  const words = ["reference", "template", "zone_attributes", "--out", path("zone_attributes.xlsx")];
  expect((await run(...words)).code).toBe(0);
  const sheet = (await readXlsx(readFileSync(path("zone_attributes.xlsx")))).sheets[0];
  expect(sheet?.rows[0]).toEqual([
    "zone_id",
    "zone_name",
    "location_id",
    "location_name",
    "region",
    "valid_from",
    "valid_to",
  ]);
  const rows = sheet?.rows.map((row) => [...row]) ?? [];
  rows[1]?.splice(4, 3, "North", null, new Date("2026-10-31T00:00:00Z"));
  rows[2]?.splice(4, 1, 7);
  rows[0]?.push("floor_m2");
  rows[2]?.push(120.5);
  const columns = [{}, {}, {}, {}, {}, {}, { numFmt: "dd.mm.yyyy" }];
  const hours = [
    ["zone_id", "day_of_week", "opens", "closes"],
    [7, 1, 0.375, 1],
  ];
  const time = { numFmt: "hh:mm" };
  write({
    "zone_attributes.xlsx": await writeXlsx({ sheets: [{ name: "Mine", rows, columns }] }),
    "opening_hours.xlsx": await writeXlsx({
      sheets: [{ name: "Mine", rows: hours, columns: [{}, {}, time, time] }],
    }),
  });
  const checked = await run("reference", "check");
  expect([checked.code, checked.stdout]).toEqual([
    0,
    expect.stringContaining(`${path("zone_attributes.xlsx")}: 2 lines\n`),
  ]);
  expect((await run("build")).code).toBe(0);
  const query =
    "select zone_id, attribute_value, valid_to from bridge_zone_attribute order by zone_id, attribute_value desc";
  expect(JSON.parse((await run("query", query, "--format", "json")).stdout)).toEqual([
    { zone_id: 7, attribute_value: "North", valid_to: "2026-10-31" },
    { zone_id: 8, attribute_value: "7", valid_to: "2099-12-31" },
    { zone_id: 8, attribute_value: "120.5", valid_to: "2099-12-31" },
  ]);

  writeFileSync(path("zone_attributes.csv"), "zone_id,region\n7,South\n");
  const twice = await run("reference", "check");
  expect([twice.code, twice.stdout]).toEqual([
    2,
    expect.stringContaining(
      `Both ${path("zone_attributes.csv")} and ${path("zone_attributes.xlsx")} have entries. Remove one of them`,
    ),
  ]);
  write({ "zone_attributes.xlsx": "zone_id,region\n" });
  const broken = await run("reference", "check");
  expect([broken.code, broken.stdout]).toEqual([2, expect.stringContaining("is not an Excel workbook")]);
});

itInAll(
  "an invalid line stops no run: the rows applied before stay, the file is reported, and the exit code is 1",
  async () => {
    const setup = await setUp({ days: 2, zones: 2, playScale: 0.1 });
    const venue = async (...words: string[]) => await runVenue(words, setup);
    const hours = join(setup.dataFolder, "reference", "opening_hours.csv");
    const header = "zone_id,day_of_week,opens,closes\n";
    mkdirSync(dirname(hours), { recursive: true });
    writeFileSync(hours, `${header}1,1,09:00,20:00\n`);
    const first = await venue("run");
    expect(first.code, first.stderr).toBe(0);
    writeFileSync(hours, `${header}1,1,09:00,20:00\n1,8,09:00,20:00\n`);
    writeFileSync(
      join(dirname(hours), "group_names.csv"),
      `group_id,group_name\n${setup.emulator.world.groupIds[0]},North\n`,
    );
    const requests = () => setup.emulator.requests.length;
    for (const words of [["sync", "devices"], ["run"], ["build"]]) {
      const before = requests();
      const { code, stderr } = await venue(...words);
      expect([words, code, stderr.match(/opening_hours\.csv, line 3: "8" is invalid/g)?.length]).toEqual([
        words,
        1,
        1,
      ]);
      expect(stderr).toContain("Until then, the rows applied last stay in use.");
      if (words[0] !== "build") expect(requests()).toBeGreaterThan(before);
    }
    const { runs } = JSON.parse((await venue("runs", "--json")).stdout);
    expect(runs[0].note).toContain("opening_hours.csv, line 3");
    expect((await venue("reference", "check")).code).toBe(2);
    expect((await venue("query", "select group_name from dim_group")).stdout).toContain("North");
    writeFileSync(hours, `${header}1,1,09:00,20:00\n`);
    expect((await venue("build")).code).toBe(0);
  },
);

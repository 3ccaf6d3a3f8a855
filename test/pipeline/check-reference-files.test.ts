import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DataFolder } from "../../src/config/data-folder.ts";
import { Settings } from "../../src/config/settings.ts";
import { copyExampleReference } from "../../src/load/reference/apply-reference.ts";
import { attributeFiles } from "../../src/load/reference/attribute-file.ts";
import { checkReferenceFiles } from "../../src/pipeline/reference/check-reference.ts";
import { createTempFolder } from "../support/temp-folder.ts";

function setUp(): { folder: DataFolder; settings: Settings } {
  const workingFolder = createTempFolder();
  const folder = new DataFolder(join(workingFolder, "data"));
  return { folder, settings: new Settings({ flags: {}, environment: {}, workingFolder }) };
}

it("reports the number of lines and the mistakes of each reference file", async () => {
  const { folder, settings } = setUp();
  copyExampleReference(folder);
  const path = (name: string) => join(folder.reference, name);
  rmSync(path("zone_time_zones.csv"));
  writeFileSync(path("group_names.csv"), "group_id;group_name\n1;North\n2;South\n");
  writeFileSync(
    path("opening_hours.csv"),
    "zone_id,day_of_week,opens,closes\n7,1,09:00,24:30\n7,8,09:00,20:00\n",
  );
  const message = (line: number) => expect.stringContaining(`opening_hours.csv, line ${line}: `);
  expect(await checkReferenceFiles(settings)).toEqual({
    unread: [],
    files: [
      {
        name: "zone_time_zones.csv",
        path: path("zone_time_zones.csv"),
        separator: "comma",
        lines: 0,
        mistakes: [],
        warnings: [],
      },
      {
        name: "group_names.csv",
        path: path("group_names.csv"),
        separator: "semicolon",
        lines: 2,
        mistakes: [],
        warnings: [],
      },
      {
        name: "opening_hours.csv",
        path: path("opening_hours.csv"),
        separator: "comma",
        lines: 0,
        mistakes: [
          { line_number: 2, message: message(2) },
          { line_number: 3, message: message(3) },
        ],
        warnings: [],
      },
      ...["zone_kinds.csv", "dayparts.csv", "campaign_targets.csv", ...Object.keys(attributeFiles)].map(
        (name) => ({
          name,
          path: path(name),
          separator: "comma",
          lines: 0,
          mistakes: [],
          warnings: [],
        }),
      ),
    ],
  });
  expect(existsSync(path("zone_time_zones.csv")), "it changes nothing").toBe(false);
});

it("a data folder without reference files gets examples; an existing file is kept", async () => {
  const { folder } = setUp();
  copyExampleReference(folder);
  const path = join(folder.reference, "group_names.csv");
  expect(readFileSync(path, "utf8")).toMatch(/^group_id,group_name\n# /);
  writeFileSync(path, "group_id,group_name\n1,North\n");
  copyExampleReference(folder);
  expect(readFileSync(path, "utf8")).toBe("group_id,group_name\n1,North\n");
});

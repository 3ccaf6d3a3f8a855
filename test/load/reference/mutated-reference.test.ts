import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { checkReference } from "../../../src/load/reference/check-reference.ts";
import { VenueError } from "../../../src/util/venue-error.ts";
import { share } from "../../support/long-suite.ts";
import { mutate } from "../../support/mutate.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { reportTrials } from "../../support/trial-report.ts";
import { Random } from "../history/random-lines.ts";

/** A reference file, and its lines as parsed without a library. */
const files: [name: string, text: string, tell: (fields: string[]) => unknown][] = [
  [
    "zone_time_zones.csv",
    "# where clocks are\nzone_id,time_zone\n7,Europe/Berlin\n8,America/New_York\n",
    ([id, value]) => ({ id: Number(id), value }),
  ],
  [
    "group_names.csv",
    "group_id,group_name\n1,Café Zürich\n2,東京 #2\n3,a - b\n",
    ([id, value]) => ({ id: Number(id), value }),
  ],
  [
    "opening_hours.csv",
    "zone_id,day_of_week,opens,closes\n7,1,09:00,20:30\n7,2,18:00,02:00\n8,7,06:00,24:00\n",
    ([id, day, opens = "", closes = ""]) => {
      const secondsOf = (time: string) => {
        const [hours, minutes] = time.split(":").map(Number);
        return Number(hours) * 3600 + Number(minutes) * 60;
      };
      const isNextDay = secondsOf(closes) <= secondsOf(opens);
      return {
        ...{ id: Number(id), day_of_week: Number(day), opens_secs: secondsOf(opens) },
        closes_secs: secondsOf(closes) + (isNextDay ? 86_400 : 0),
      };
    },
  ],
];
const times = share(60, 1000, 33_000);

it.each(files)("a mutated %s is read correctly, or rejected by line", async (name, text, tell) => {
  const database = await DuckDb.open();
  onTestFinished(() => database.close());
  const folder = join(createTempFolder(), "reference");
  const random = new Random(name.length);
  const happened = { read: 0, refused: 0 };
  for (let round = 0; round < times; round += 1) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    const content = round === 0 ? Buffer.from(text) : mutate(Buffer.from(text), random);
    writeFileSync(join(folder, name), content);
    try {
      const found = await checkReference(database, folder);
      const { rows, mistakes } = found.find((file) => file.name === name) ?? {};
      if (mistakes?.[0]) throw mistakes[0];
      expect(rows, JSON.stringify(content.toString())).toEqual(readNaively(content).map(tell));
      happened.read += 1;
    } catch (error) {
      if (!(error instanceof VenueError)) throw new Error(`round ${round}: ${content}`, { cause: error });
      expect(error.message).toContain(name);
      happened.refused += 1;
    }
  }
  reportTrials(`mutated ${name}`, times, happened);
});

/** Fields of the lines after the first one that is not blank. */
function readNaively(content: Buffer): string[][] {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(content);
  const lines = text.split(/\r\n|\n|\r/).map((line) => line.trim());
  const [, ...rows] = lines.filter((line) => line !== "" && !line.startsWith("#"));
  return rows
    .map((row) =>
      row.split(",").map((field) =>
        field
          .trim()
          .replace(/^"(.*)"$/, "$1")
          .trim(),
      ),
    )
    .filter((fields) => fields.some((field) => field !== "") && !fields[0]?.startsWith("#"));
}

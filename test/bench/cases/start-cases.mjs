import { existsSync } from "node:fs";
import { join } from "node:path";
import { historyOf } from "../history/history.mjs";
import { firstOfEachZone, inOrderOfTime } from "../history/orders.mjs";
import { writeLines } from "../history/write-lines.mjs";
import { measureProcess } from "../measure/measured-process.mjs";
import { measureVenue, outside, program } from "../measure/venue.mjs";

/** A process that does nothing is so short that one round runs several. */
const timesPerRound = 3;
export const idle = "node -e 0";
const cases = [
  [idle, ["-e", "0"]],
  ["venue --help", [program, "--help"]],
  ["venue --version", [program, "--version"]],
];

/** With this few lines, startup dominates a report. */
const fewLines = 20_000;
export const smallReport = `a report of ${inWords(fewLines)} lines`;

const manyZones = 20_000;
const askedZones = 2000;
export const namedZonesReport = `a report of ${inWords(askedZones)} of ${inWords(manyZones)} zones, by id`;
/** Every tenth zone; zones are numbered from 1000. */
const askedIds = Array.from(
  { length: askedZones },
  (_, index) => 1000 + (index * manyZones) / askedZones,
).join();

export async function measureStarts({ folder, figures, say }) {
  say("starting");
  const few = historyOf(fewLines);
  const small = await built(folder, "small", few, inOrderOfTime(few, 0, few.plays));
  const many = { ...few, plays: manyZones, zones: manyZones };
  const wide = await built(folder, "wide", many, firstOfEachZone(many));
  for (let time = 0; time < timesPerRound; time += 1) {
    for (const [what, words] of cases)
      await figures.take(what, () => measureProcess(process.execPath, words, outside(folder)));
    await figures.take(smallReport, () => measureVenue(folder, small, ["report", "plays", "--by", "zone"]));
    await figures.take(namedZonesReport, () => measureNamedZones(folder, wide));
  }
}

async function measureNamedZones(folder, data) {
  const period = ["--from", "2025-01-01", "--to", "2025-12-31"];
  const words = ["report", "plays", "--by", "zone", ...period, "--zone", askedIds, "--format", "csv"];
  const sample = await measureVenue(folder, data, words);
  const rows = sample.stdout.trim().split("\n").length - 1;
  if (rows !== askedZones) throw new Error(`${rows} zones were reported`);
  return sample;
}

/** Returns the data folder of that name, loaded and built on first use. */
async function built(folder, name, history, order) {
  const data = join(folder, name);
  if (existsSync(data)) return data;
  const file = join(folder, `${name}.jsonl`);
  await writeLines(file, history, order);
  await measureVenue(folder, data, ["load", file, "--kind", "music"]);
  await measureVenue(folder, data, ["build"]);
  return data;
}

function inWords(count) {
  return count.toLocaleString("en");
}

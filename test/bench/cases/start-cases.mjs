import { existsSync } from "node:fs";
import { join } from "node:path";
import { historyOf } from "../history/history.mjs";
import { inOrderOfTime } from "../history/orders.mjs";
import { writeLines } from "../history/write-lines.mjs";
import { measureProcess } from "../measure/measured-process.mjs";
import { measureVenue, outside, program } from "../measure/venue.mjs";

/** A process that does nothing takes so little that one round has several. */
const timesPerRound = 3;
export const idle = "node -e 0";
const cases = [
  [idle, ["-e", "0"]],
  ["venue --help", [program, "--help"]],
  ["venue --version", [program, "--version"]],
];

/** Of so few lines that starting is most of a report. */
const fewLines = 20_000;
export const smallReport = `a report of ${fewLines.toLocaleString("en")} lines`;

export async function measureStarts({ folder, figures, say }) {
  say("starting");
  const data = join(folder, "small");
  if (!existsSync(data)) await buildSmall(folder, data);
  for (let time = 0; time < timesPerRound; time += 1) {
    for (const [what, words] of cases)
      await figures.take(what, () => measureProcess(process.execPath, words, outside(folder)));
    await figures.take(smallReport, () => measureVenue(folder, data, ["report", "plays", "--by", "zone"]));
  }
}

async function buildSmall(folder, data) {
  const history = historyOf(fewLines);
  const file = join(folder, "small.jsonl");
  await writeLines(file, history, inOrderOfTime(history, 0, history.plays));
  await measureVenue(folder, data, ["load", file, "--kind", "music"]);
  await measureVenue(folder, data, ["build"]);
}

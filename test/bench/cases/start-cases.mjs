import { measureProcess } from "../measure/measured-process.mjs";
import { outside, program } from "../measure/venue.mjs";

/** A process that does nothing takes so little that one round has several. */
const timesPerRound = 3;
export const idle = "node -e 0";
const cases = [
  [idle, ["-e", "0"]],
  ["venue --help", [program, "--help"]],
  ["venue --version", [program, "--version"]],
];

export async function measureStarts({ folder, figures, say }) {
  say("starting");
  for (let time = 0; time < timesPerRound; time += 1)
    for (const [what, words] of cases)
      await figures.take(what, () => measureProcess(process.execPath, words, outside(folder)));
}

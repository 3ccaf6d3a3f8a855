import { expect, it } from "vitest";
import { reportNames } from "../../src/report/report-name.ts";
import { runVenue } from "../support/run-venue.ts";
import { demoNow, shareDemo, shareDemoData } from "../support/shared-demo.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { blocksOf, pages } from "./pages.ts";
import { commandsOf } from "./shell-commands.ts";

/** Groupings in examples: the words of `group by …` in SQL, of `group_by(…)` and `groupby(…)` in Python. */
function groupings(text: string): string[] {
  return [...text.matchAll(/group ?_?by[ (]+([^\n)]*?)(?= order by|[)\n]|$)/gi)].map(
    ([, words = ""]) => words,
  );
}

it.each([...pages])("%s: an example that groups by a name also groups by its id, as names repeat", (page) => {
  const found = blocksOf(page).flatMap(({ text }) => groupings(text));
  const named = found.flatMap((words) =>
    [...words.matchAll(/(\w+)_name/g)].map(([, subject = ""]) => ({ words, subject })),
  );
  for (const { words, subject } of named) expect(words).toMatch(new RegExp(`\\b${subject}_(id|key)\\b`));
  if (page === "docs/analyst.md") expect(named).toHaveLength(3);
});

it("the explained day is one of the demo's, and has an explanation", async () => {
  const explained = pages.flatMap(commandsOf).filter(({ args }) => args.includes("--explain"));
  expect(explained.length).toBeGreaterThan(0);
  for (const { args } of explained) {
    const environment = { VENUE_DATA_DIR: await shareDemoData() };
    const { stdout } = await runVenue(args, { environment, workingFolder: await shareDemo() });
    expect(stdout).toMatch(/^Explanation: missed\n/);
  }
});

it("the reports in recipes have rows in the demo", async () => {
  const reports = commandsOf("docs/analyst.md").filter(
    ({ args }) =>
      args[0] === "report" &&
      reportNames.some((name) => name === args[1]) &&
      !args.includes("--explain") &&
      !args.includes("--where"),
  );
  expect(reports.length).toBeGreaterThan(0);
  for (const { args } of reports) {
    const environment = { VENUE_DATA_DIR: await shareDemoData(), VENUE_NOW: demoNow.toISOString() };
    const isFile = args.includes("--out");
    const found = await runVenue(isFile ? args : [...args, "--format", "json"], {
      environment,
      workingFolder: createTempFolder(),
    });
    expect(found.code, `${args.join(" ")}\n${found.stderr}`).toBe(0);
    if (isFile) expect(`${found.stdout}${found.stderr}`).toMatch(/\.xlsx$/m);
    // No zone of the demo is silent.
    else if (args[1] !== "silences") expect(JSON.parse(found.stdout), args.join(" ")).not.toEqual([]);
  }
});

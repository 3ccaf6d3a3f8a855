import { expect, it } from "vitest";
import { runVenue } from "../support/run-venue.ts";
import { shareDemo, shareDemoData } from "../support/shared-demo.ts";
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

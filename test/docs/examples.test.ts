import { expect, it } from "vitest";
import { blocksOf, pages } from "./pages.ts";

/** What examples group by: the words of `group by …` in SQL, of `group_by(…)` and `groupby(…)` in Python. */
function groupings(text: string): string[] {
  return [...text.matchAll(/group ?_?by[ (]+([^\n)]*?)(?= order by|[)\n]|$)/gi)].map(
    ([, words = ""]) => words,
  );
}

it.each([...pages])("%s: an example that groups by a name groups by its id, too: names repeat", (page) => {
  const found = blocksOf(page).flatMap(({ text }) => groupings(text));
  const named = found.flatMap((words) =>
    [...words.matchAll(/(\w+)_name/g)].map(([, subject = ""]) => ({ words, subject })),
  );
  for (const { words, subject } of named) expect(words).toMatch(new RegExp(`\\b${subject}_(id|key)\\b`));
  if (page === "docs/analyst.md") expect(named).toHaveLength(4);
});

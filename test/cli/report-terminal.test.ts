import { expect, it } from "vitest";
import { setUpPlays } from "../support/published-plays.ts";
import { hasTerminals, startOnTerminal } from "../support/run-on-terminal.ts";

it.skipIf(!hasTerminals)("a comparison is described once, above columns with labels", async () => {
  const words = ["report", "plays", "--by", "zone", "--compare", "before"];
  const terminal = startOnTerminal(words, await setUpPlays());
  expect(await terminal.finished).toBe(0);
  const shown = terminal.shown().replaceAll("\r", "");
  expect(shown.match(/Plays did not change/g)).toHaveLength(1);
  expect(shown).toMatch(/Zone +Plays +Plays then/);
  expect(shown).not.toContain("plays_then");
});

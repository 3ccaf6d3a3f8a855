import { expect, it } from "vitest";
import { setUpPlays } from "../support/published-plays.ts";
import { runVenue } from "../support/run-venue.ts";

const wrong = [
  [["plays", "--zone", "19"], "No zone 19. Did you mean 11 (Bar)?"],
  [["uptime", "--group", "bar"], 'No group is called "bar". Did you mean 1 (Bars)?'],
  [["outages", "--location", "77"], "No location 77."],
  [["compliance", "--campaign", "7"], "No campaign 7."],
  [["devices", "--zone", "Shop"], 'No zone is called "Shop". Did you mean 13 (Shop | <b>)?'],
  [["single-plays", "--item", "987"], "No item 987. See `venue report plays --by item`."],
  [["single-plays", "--artist", "987,988"], "No artist 987 or 988."],
  [["uptime", "--device", "987"], "No device 987."],
  [["rejects", "--load", "987"], "No load 987."],
  [["quality", "--zone", "11,12x"], 'No zone is called "12x".'],
] as const;

it.each(wrong)("venue report %j says what is not there", async (words, message) => {
  const setup = await setUpPlays();
  const { code, stdout, stderr } = await runVenue(["report", ...words], setup);
  expect(stderr).toContain(message);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
});

it("reports a zone by its name as by its id", async () => {
  const setup = await setUpPlays();
  const report = (zone: string) => runVenue(["report", "plays", "--by", "zone", "--zone", zone], setup);
  const byName = await report("bar");
  expect(byName).toMatchObject({ code: 0, stdout: expect.stringContaining("zone 11 (Bar)") });
  expect(byName).toEqual(await report("11"));
});

it("does not collect for hours before it says that a group is not there", async () => {
  const setup = await setUpPlays();
  const { code, stderr } = await runVenue(["run", "--group", "Barz"], setup);
  expect(stderr).toContain('No group is called "Barz". Did you mean 1 (Bars)?');
  expect(code).toBe(2);
});

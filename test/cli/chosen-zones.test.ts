import { expect, it } from "vitest";
import { setUpPlays } from "../support/published-plays.ts";
import { runVenue } from "../support/run-venue.ts";

it("reports a zone by its name or its id", async () => {
  const setup = await setUpPlays();
  const report = (zone: string) => runVenue(["report", "plays", "--by", "zone", "--zone", zone], setup);
  const byName = await report("bar");
  expect(byName).toMatchObject({ code: 0, stdout: expect.stringContaining("zone 11 (Bar)") });
  expect(byName).toEqual(await report("11"));
});

it("reports an unknown group before collecting", async () => {
  const setup = await setUpPlays();
  const { code, stderr } = await runVenue(["run", "--group", "Barz"], setup);
  expect(stderr).toContain('No group is called "Barz". Did you mean 1 (Bars)?');
  expect(code).toBe(2);
});

import { expect } from "vitest";
import { itInAll } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { setUp } from "../support/service.ts";

itInAll("recognises a service address with a trailing slash", async () => {
  const setup = await setUp({ days: 5, zones: 2, playScale: 0.2 });
  const venue = async (...words: string[]) => {
    const { code, stdout, stderr } = await runVenue(words, setup);
    expect(code, stderr).toBe(0);
    return stdout;
  };
  await venue("sync", "--mode", "walk");
  const plan = await venue("plan", "--mode", "walk");

  setup.environment.VENUE_BASE_URL += "/";
  setup.environment.VENUE_STATUS_URL += "/";
  expect(await venue("plan", "--mode", "walk")).toBe(plan);
});

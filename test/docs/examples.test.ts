import { expect, it } from "vitest";
import { runVenue } from "../support/run-venue.ts";
import { shareDemo, shareDemoData } from "../support/shared-demo.ts";
import { pages } from "./pages.ts";
import { commandsOf } from "./shell-commands.ts";

it("the explained day is one of the demo's, and has an explanation", async () => {
  const explained = pages.flatMap(commandsOf).filter(({ args }) => args.includes("--explain"));
  expect(explained.length).toBeGreaterThan(0);
  for (const { args } of explained) {
    const environment = { VENUE_DATA_DIR: await shareDemoData() };
    const { stdout } = await runVenue(args, { environment, workingFolder: await shareDemo() });
    expect(stdout).toMatch(/^Explanation: missed\n/);
  }
});

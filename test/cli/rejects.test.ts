import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runVenue } from "../support/run-venue.ts";
import { createTempFolder } from "../support/temp-folder.ts";

it("lists those of one load, of which there may be none, and refuses a load that there is not", async () => {
  const workingFolder = createTempFolder();
  const setup = { workingFolder, environment: { VENUE_HOME: join(workingFolder, "home") } };
  writeFileSync(join(workingFolder, "broken.jsonl"), "{\n");
  writeFileSync(join(workingFolder, "blank.jsonl"), "\n");
  await runVenue(["load", "broken.jsonl", "blank.jsonl", "--kind", "music"], setup);
  const rejectsOf = async (load: string) => await runVenue(["rejects", "--load", load], setup);
  expect(await rejectsOf("1")).toMatchObject({ code: 0, stdout: expect.stringContaining("invalid_json") });
  expect(await rejectsOf("2")).toMatchObject({ code: 0, stdout: "0 rejected lines.\n" });
  expect(await rejectsOf("3")).toMatchObject({ code: 2, stderr: expect.stringContaining("No load 3.") });
});

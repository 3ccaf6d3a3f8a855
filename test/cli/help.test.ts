import { expect, it } from "vitest";
import { commandList } from "../../src/cli/command-list.ts";
import { runVenue } from "../support/run-venue.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const names = commandList.map(({ name }) => name);

it.each(names)("the help of %s fits into 80 columns, except for text to copy", async (name) => {
  const { code, stdout } = await runVenue([name, "--help"], {
    environment: {},
    workingFolder: createTempFolder(),
  });
  expect(code).toBe(0);
  expect(stdout).toContain(`Usage: venue ${name}`);
  const lines = stdout.split("\n").filter((line) => !/^ *\$ venue /.test(line));
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

it.each([...names, "reference check", "reference template", "api devices", "api devices status"])(
  "the help of %s has an example",
  async (name) => {
    const setup = { environment: {}, workingFolder: createTempFolder() };
    const { stdout } = await runVenue([...name.split(" "), "--help"], setup);
    expect(stdout).toMatch(new RegExp(`^Examples?[:,](.*\\n)+.*venue ${name.split(" ")[0]}`, "m"));
  },
);

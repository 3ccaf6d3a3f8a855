import { readdirSync } from "node:fs";
import { Command } from "commander";
import { expect, it } from "vitest";
import { CliContext } from "../../src/cli/cli-context.ts";
import { commandList } from "../../src/cli/command-list.ts";
import { listenForInterruption } from "../../src/cli/interruption.ts";
import { path } from "../../src/config/parsers.ts";
import { toFlag, variableNames, variables } from "../../src/config/variables.ts";
import { runVenue } from "../support/run-venue.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const url = "s3://bucket/x";

/** Every flag and argument for a file or folder, with the parser of its value. */
async function listPaths(): Promise<[string, (text: string) => unknown][]> {
  const { stdout, stderr, stdin } = process;
  const program = new Command("venue");
  const io = { stdout, stderr, stdin, environment: {}, workingFolder: createTempFolder() };
  const interruptions = listenForInterruption(false);
  const context = new CliContext(io, program, interruptions);
  for (const { name, load } of commandList) (await load()).define(program.command(name), context);
  interruptions.stop();
  return [...pathsBelow(program, "")];
}

function* pathsBelow(command: Command, words: string): Generator<[string, (text: string) => unknown]> {
  for (const { flags, long, parseArg } of command.options) {
    if (/[<[](file|folder|dir|path)/i.test(flags))
      yield [`${words}${long}`, (text) => parseArg?.(text, undefined)];
  }
  for (const argument of command.registeredArguments) {
    if (argument.argChoices === undefined && /file|folder|dir|path/i.test(argument.name()))
      yield [`${words}<${argument.name()}>`, (text) => argument.parseArg?.(text, undefined as never)];
  }
  for (const child of command.commands) yield* pathsBelow(child, `${words}${child.name()} `);
}

it("rejects a URL for every flag and argument for a file or folder", async () => {
  const paths = await listPaths();
  expect(paths.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      "load <file>",
      "report --out",
      "query --out",
      "login --code-file",
      "serve --token-file",
      "api history download --out",
    ]),
  );
  for (const [name, parse] of paths) {
    for (const text of [url, "file:///tmp/x", "HTTPS://example.com/x"])
      expect(() => parse(text), `${name} ${text}`).toThrow("It takes a path on this machine, not a URL");
    // Proofs are written to files with such an ending only.
    for (const text of ["a/b.html", "s3:/bucket.html", "./s3://bucket.html", "C:\\data.html"])
      expect(() => parse(text), `${name} ${text}`).not.toThrow();
  }
});

const settings = variableNames.filter((name) => Object.is(variables[name].parser, path));

it.each(settings)("rejects a URL for %s", async (name) => {
  const workingFolder = createTempFolder();
  const { code, stderr } = await runVenue(["runs", ...[toFlag(name) ?? ""], url], {
    environment: {},
    workingFolder,
  });
  expect([code, stderr]).toEqual([2, expect.stringContaining("a path on this machine")]);
  expect(readdirSync(workingFolder)).toEqual([]);
});

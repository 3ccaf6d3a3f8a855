import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { commandList } from "../../src/cli/command-list.ts";
import { exitCodes } from "../../src/cli/exit-code.ts";
import { variableNames } from "../../src/config/variables.ts";
import { runReports } from "../../src/pipeline/run.ts";
import { packageRoot } from "../../src/util/files/package-files.ts";
import { commandLine, listCommands } from "./command-line.ts";
import { codeSpansOf, namesUnder, pages, tableUnder } from "./pages.ts";
import { commandsOf, type ShellCommand } from "./shell-commands.ts";

const commands = new Map(pages.map((page) => [page, commandsOf(page)]));

function callsOf(page: string, program: ShellCommand["program"]): string[][] {
  return (commands.get(page) ?? []).filter((call) => call.program === program).map(({ args }) => args);
}

const pagesWithCommands = pages.filter((page) => callsOf(page, "venue").length > 0);

it.each(pagesWithCommands)("%s shows commands that the program accepts", async (page) => {
  for (const args of callsOf(page, "venue")) {
    const program = await commandLine();
    await expect(program.parseAsync(args, { from: "user" }), args.join(" ")).resolves.toBeDefined();
  }
});

describe.each(pages.filter((page) => page !== "CHANGELOG.md"))("%s", (page) => {
  it("names existing commands and flags", async () => {
    const program = await commandLine();
    const spans = codeSpansOf(page).filter((text) => /^venue [a-z]/.test(text));
    expect(spans.filter((text) => !isKnown(program, text.split(/\s+/).slice(1)))).toEqual([]);
  });

  it("names existing targets of make", () => {
    const makefile = readFileSync(join(packageRoot, "Makefile"), "utf8");
    const targets = new Set([...makefile.matchAll(/^([a-z0-9-]+):/gm)].map(([, name]) => name));
    const spans = codeSpansOf(page).filter((text) => /(^| )make [a-z]/.test(text));
    const named = [
      ...spans.map((text) => /(?:^| )make ([a-z0-9-]+)/.exec(text)?.[1]),
      ...callsOf(page, "make").map(([target]) => target),
    ];
    expect(named.filter((target) => !targets.has(target ?? ""))).toEqual([]);
  });
});

/** Returns whether the words name a command that has, or inherits, each flag. Placeholders are upper case. */
function isKnown(program: Command, words: readonly string[]): boolean {
  let command = program;
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word);
    if (!next) break;
    command = next;
  }
  if (command === program) return false;
  const isGroup = command.commands.length > 0 && command.name() !== "help";
  const after = words[words.indexOf(command.name()) + 1];
  if (isGroup && after !== undefined && /^[a-z]/.test(after)) return false;
  const known = new Set(
    [...listCommands(command), program].flatMap((one) =>
      one.options.flatMap(({ long, short }) => [long, short]),
    ),
  );
  return words.every(
    (word) => !/^--?[a-z]/.test(word) || word === "--help" || known.has(word.replace(/=.*/, "")),
  );
}

it("docs/reports.md lists the reports of a run", () => {
  const [, listed = ""] =
    /^`venue run` writes (.*) to `data/m.exec(readFileSync(join(packageRoot, "docs/reports.md"), "utf8")) ??
    [];
  expect([...listed.matchAll(/`(.+?)`/g)].map(([, name]) => name)).toEqual(
    runReports.map(({ report }) => report),
  );
});

describe("docs/settings.md", () => {
  it("lists every command", () => {
    const listed = namesUnder("docs/settings.md", "## Commands").flatMap((text) =>
      text.startsWith("venue ") ? (text.split(" ")[1] ?? "") : [],
    );
    expect([...new Set(listed)].sort()).toEqual(commandList.map(({ name }) => name).sort());
  });

  it("lists every setting once", () => {
    const listed = namesUnder("docs/settings.md", "## Settings");
    expect(listed.sort()).toEqual([...variableNames].sort());
  });

  it("lists every exit code", () => {
    const listed = tableUnder("docs/settings.md", "## Exit codes").flatMap(([codes = ""]) =>
      codes.split(", "),
    );
    expect(listed.map(Number)).toEqual([...Object.values(exitCodes), 130, 143, 137]);
  });
});

describe("CONTRIBUTING.md", () => {
  it("gives a reason for exactly the installed dependencies", () => {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(packageRoot, "package.json"), "utf8"),
    );
    expect(namesUnder("CONTRIBUTING.md", "## Dependencies").sort()).toEqual(
      Object.keys({ ...dependencies, ...devDependencies }).sort(),
    );
  });

  it("describes each folder of src/", () => {
    const folders = readdirSync(join(packageRoot, "src"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${name}/`);
    expect(namesUnder("CONTRIBUTING.md", "## Layout").sort()).toEqual(folders.sort());
  });
});

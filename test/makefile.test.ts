import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { packageRoot } from "../src/util/files/package-files.ts";

/** Arguments that a target passes to the program, here one that prints them. */
function argumentsOf(...words: readonly string[]): string[] {
  const print = ["--no-print-directory", "--old-file=dist", "VENUE=printf '%s\\n'"];
  const { stdout, stderr, status } = spawnSync("make", [...print, ...words], {
    cwd: packageRoot,
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  return stdout.trimEnd().split("\n");
}

it.each([["O'Brien's"], ["Ca$h & Carry"], ["$(HOME) `id` \\"], ['"A", B; #1'], ["-5"]])(
  "make passes on %s unchanged",
  (value) => {
    const group = ["--group", value];
    expect(argumentsOf("run", `GROUP=${value}`)).toEqual(["run", ...group]);
    expect(argumentsOf("report", `REPORT=${value}`, `GROUP=${value}`)).toEqual(["report", value, ...group]);
    expect(argumentsOf("report", "REPORT=compliance", `ONLY=${value}`)).toEqual([
      "report",
      "compliance",
      "--only",
      value,
    ]);
    expect(argumentsOf("report", `OUT=${value}`, "FROM=")).toEqual(["report", "plays", "--out", value]);
    expect(argumentsOf("publish", `DIR=${value}`)).toEqual(["publish", "--to", value]);
  },
);

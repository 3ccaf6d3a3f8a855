import { expect, it } from "vitest";
import { combineExitCodes, getExitCode } from "../../src/cli/exit-code.ts";
import { Interruption } from "../../src/cli/interruption.ts";
import { explainFailure } from "../../src/cli/report-failure.ts";
import { ConfigError } from "../../src/config/settings.ts";

it.each([
  ["nothing", [], 0],
  ["a finding", [0, 1], 1],
  ["a refusal and a finding", [1, 3], 3],
  ["damage and a refusal", [3, 4, 1], 4],
  ["a bug with all others", [3, 70, 4], 70],
])("the exit code of %s", (_label, codes, expected) => {
  expect(combineExitCodes(codes)).toBe(expected);
});

it.each<[string, unknown, number]>([
  ["a setting", new ConfigError("VENUE_X", "x"), 2],
  ["Ctrl-C", new Interruption("SIGINT"), 130],
  ["SIGTERM", new Interruption("SIGTERM"), 143],
  ["a bug", new TypeError("x is not a function"), 70],
  ["a full disk (Node)", Object.assign(new Error("write"), { code: "ENOSPC" }), 2],
  ["a full disk (DuckDB)", new Error('IO Error: Could not write file "x": No space left on device'), 2],
  ["a failing disk (Node)", Object.assign(new Error("EIO: i/o error, unlink 'x'"), { code: "EIO" }), 2],
  ["a failing disk (SQLite)", new Error("disk I/O error"), 2],
  ["a file at the size limit", Object.assign(new Error("write"), { code: "EFBIG" }), 2],
  ["too many open files", Object.assign(new Error("open"), { code: "EMFILE" }), 2],
  [
    "a read-only folder",
    Object.assign(new Error("EROFS: read-only file system, open 'x'"), { code: "EROFS" }),
    2,
  ],
  ["a missing folder", Object.assign(new Error("open 'x'"), { code: "ENOENT" }), 2],
  ["a disconnected network drive", Object.assign(new Error("open 'x'"), { code: "ESTALE" }), 2],
  ["a folder in place of a file", Object.assign(new Error("EISDIR: is a directory"), { code: "EISDIR" }), 2],
])("the exit code after %s", (_label, error, expected) => {
  expect(getExitCode(explainFailure(error))).toBe(expected);
});

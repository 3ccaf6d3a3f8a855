import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { removePartialFiles } from "../../../src/report/format/write-report.ts";
import { deadPid } from "../../support/dead-pid.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

const isRoot = process.getuid?.() === 0;

it("removes only partial files of processes that have ended, also in subfolders", () => {
  const folder = createTempFolder();
  const elsewhere = createTempFolder();
  const dead = deadPid();
  const gone = [
    `plays.html.${dead}.part`,
    `latest.${dead}.new`,
    `2026-11-01/zones/81001.html.${dead}.part`,
    `2026-10-31/zones/81002.html.${process.pid}.part`,
  ];
  const kept = [`plays.csv.${process.ppid}.part`, "plays.html", "notes.part", `2026-11-01/plays.md.${dead}`];
  for (const path of [...gone, ...kept]) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), "");
  }
  const beyond = join(elsewhere, `plays.html.${dead}.part`);
  writeFileSync(beyond, "");
  symlinkSync(elsewhere, join(folder, "latest"));
  expect(removePartialFiles(folder).sort()).toEqual(gone.map((path) => join(folder, path)).sort());
  expect(gone.filter((path) => existsSync(join(folder, path)))).toEqual([]);
  expect(kept.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
  expect(existsSync(beyond)).toBe(true);
});

it("ignores a missing folder", () => {
  expect(removePartialFiles(join(createTempFolder(), "reports"))).toEqual([]);
});

it.skipIf(isRoot)("skips files that it may not see or remove", () => {
  const folder = createTempFolder();
  const closed = join(folder, "closed");
  const locked = join(folder, "locked");
  for (const each of [closed, locked]) mkdirSync(each);
  writeFileSync(join(locked, `plays.html.${deadPid()}.part`), "");
  chmodSync(closed, 0);
  chmodSync(locked, 0o500);
  try {
    expect(removePartialFiles(folder)).toEqual([]);
  } finally {
    for (const each of [closed, locked]) chmodSync(each, 0o700);
  }
});

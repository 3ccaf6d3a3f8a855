import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createTempFolder } from "../support/temp-folder.ts";
import { blocksOf } from "./pages.ts";

/** A setting of the documented service, which occurs once. */
function settingOf(name: string): string {
  const unit =
    blocksOf("docs/operator.md").find(({ text }) => text.startsWith("# venue.service"))?.text ?? "";
  const values = Array.from(unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm")), ([, value = ""]) => value);
  expect(values).toHaveLength(1);
  return values[0] ?? "";
}

/** Installs a program that starts like npm's, with `env node`, and prints its arguments. */
function install(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const main = "#!/usr/bin/env node\nconsole.log(process.argv.slice(2).join(' '));\n";
  writeFileSync(join(folder, "venue"), main, { mode: 0o755 });
  symlinkSync(process.execPath, join(folder, "node"));
}

it("the systemd unit finds the program in any folder at the start of its PATH", () => {
  const folder = join(createTempFolder(), ".nvm", "versions", "node", "v22.0.0", "bin");
  install(folder);
  const [program = "", ...words] = settingOf("ExecStart").split(" ");
  // systemd resolves the first word itself, not with the unit's PATH.
  expect(program).toMatch(/^\//);
  const path = /^PATH=(\S+)$/.exec(settingOf("Environment"))?.[1];
  expect(path).toBeDefined();
  expect(execFileSync(program, words, { env: { PATH: `${folder}:${path}` }, encoding: "utf8" })).toBe(
    "run\n",
  );
});

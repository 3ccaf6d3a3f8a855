import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/util/files/package-files.ts";
import { createTempFolder } from "../support/temp-folder.ts";

it("writes the commit and whether files differ from it into dist/, and nothing outside a clone", () => {
  const clone = createTempFolder();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: clone, encoding: "utf8" }).trim();
  const commitIn = (folder: string) => {
    cpSync(join(packageRoot, ".commit.mjs"), join(folder, ".commit.mjs"));
    execFileSync(process.execPath, [".commit.mjs"], { cwd: folder });
    const file = join(folder, "dist", "commit");
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  };
  expect(commitIn(clone)).toBeUndefined();

  git("init", "--quiet");
  writeFileSync(join(clone, ".gitignore"), "dist/\n");
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "Begin");
  const head = git("rev-parse", "HEAD");
  expect(commitIn(clone)).toBe(`${head}\n`);

  writeFileSync(join(clone, ".gitignore"), "dist/\n*.tgz\n");
  expect(commitIn(clone)).toBe(`${head}-dirty\n`);

  // Unpacked inside a clone of another project, whose commit is unrelated.
  const within = join(clone, "vendor", "package");
  mkdirSync(within, { recursive: true });
  expect(commitIn(within)).toBeUndefined();
});

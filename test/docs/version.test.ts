import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/util/files/package-files.ts";

function read(file: string): string {
  return readFileSync(join(packageRoot, file), "utf8");
}

it("package.json, package-lock.json and the newest release of CHANGELOG.md have one version", () => {
  const { version } = JSON.parse(read("package.json"));
  const lock = JSON.parse(read("package-lock.json"));
  expect([lock.version, lock.packages[""].version]).toEqual([version, version]);
  const releases = [...read("CHANGELOG.md").matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  expect(releases.filter((name) => name !== "Unreleased")[0]).toBe(version);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/util/files/package-files.ts";
import { type LockedPackage, lockedPackages, shippedPackages } from "./locked-packages.ts";

const packages = lockedPackages();
const { allowScripts, dependencies, devDependencies } = JSON.parse(
  readFileSync(join(packageRoot, "package.json"), "utf8"),
);

// `npm ci` refuses a lock file without other platforms' binaries, which npm or a registry may omit.
it("locks the binaries of every platform", () => {
  const locked = new Set(packages.map(({ name }) => name));
  const wanted = packages.flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies));
  expect(wanted.length).toBeGreaterThan(20);
  expect(wanted.filter((name) => !locked.has(name))).toEqual([]);
});

it("fetches every package from the registry, and pins the direct ones by version", () => {
  // Foreign packages have the address in their version or in `resolved`, or are links to folders.
  expect(packages.length).toBeGreaterThan(100);
  expect(packages.filter(isForeign)).toEqual([]);
  const wanted = Object.values({ ...dependencies, ...devDependencies });
  expect(wanted.filter((version) => !isPlainVersion(String(version)))).toEqual([]);
});

it("has the hash of every package except binaries of other platforms", () => {
  const unknown = packages.filter(({ integrity, os }) => integrity === undefined && os === undefined);
  expect(unknown).toEqual([]);
});

it("runs only install scripts that package.json names, and none for users", () => {
  const running = packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
  expect(running.filter((name) => !(name in allowScripts))).toEqual([]);
  expect(Object.keys(allowScripts).filter((name) => !running.includes(name))).toEqual([]);
  expect(shippedPackages().filter(({ hasInstallScript }) => hasInstallScript)).toEqual([]);
});

function isForeign({ version, resolved, link }: LockedPackage): boolean {
  return link === true || resolved !== undefined || !isPlainVersion(version);
}

function isPlainVersion(version: string): boolean {
  return /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version);
}

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

interface LockedPackage {
  optionalDependencies?: Record<string, string>;
}

// `npm ci` refuses a lock file that was written where a registry lacked, or npm left out, other platforms' binaries.
it("locks the binaries of every platform", () => {
  const text = readFileSync(new URL("../package-lock.json", import.meta.url), "utf8");
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(text);
  const locked = new Set(
    Object.keys(packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + 13)),
  );
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies),
  );
  expect(wanted.length).toBeGreaterThan(20);
  expect(wanted.filter((name) => !locked.has(name))).toEqual([]);
});

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/util/files/package-files.ts";
import { type LockedPackage, shippedPackages } from "./locked-packages.ts";

/** Licences of parts that may be used in a work under Apache-2.0, without terms for the work as a whole. */
const compatible = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT-0"];

const packages = shippedPackages();

it("ships only libraries with compatible licences", () => {
  expect(packages.length).toBeGreaterThan(40);
  const others = packages.filter((library) => !compatible.includes(licenceOf(library)));
  expect(others.map((library) => `${library.name}: ${licenceOf(library)}`)).toEqual([]);
});

it("NOTICE names each of them; `make notice` writes it", async () => {
  await expect(renderNotice()).toMatchFileSnapshot(join(packageRoot, "NOTICE"));
});

/** The lock file may lack the licence of another platform's binary; then its owner's applies. */
function licenceOf({ name, license }: LockedPackage): string {
  const owner = packages.find(({ optionalDependencies = {} }) => name in optionalDependencies);
  return license ?? owner?.license ?? "none";
}

function renderNotice(): string {
  const lines = packages.map((library) => `- ${library.name} ${library.version}: ${licenceOf(library)}`);
  return `venue-analytics

Licensed under the Apache License, Version 2.0: see LICENSE.

It uses these libraries, which npm installs beside it, each with its licence:

${[...new Set(lines)].sort().join("\n")}
${noticesOf(packages)}`;
}

/** Notices that libraries under Apache-2.0 require to be passed on. */
function noticesOf(libraries: readonly LockedPackage[]): string {
  return libraries
    .filter(({ path }) => existsSync(join(packageRoot, path)))
    .flatMap(({ name, path }) =>
      readdirSync(join(packageRoot, path))
        .filter((file) => /^NOTICE/i.test(file))
        .map((file) => `\n${name} says:\n\n${readFileSync(join(packageRoot, path, file), "utf8").trim()}\n`),
    )
    .join("");
}

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/util/files/package-files.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { shippedPackages } from "./locked-packages.ts";

interface Component {
  name: string;
  version: string;
  properties: { name: string; value: string }[];
}

it("`make sbom` lists every library with licence and hash, and marks those that are not shipped", () => {
  const file = join(createTempFolder(), "sbom.json");
  execFileSync("make", ["sbom", `OUT=${file}`], { cwd: packageRoot, stdio: "pipe" });
  const { bomFormat, metadata, components } = JSON.parse(readFileSync(file, "utf8"));
  expect([bomFormat, metadata.component.name, metadata.component.purl]).toEqual([
    "CycloneDX",
    "venue-analytics",
    expect.stringMatching(/^pkg:npm\/venue-analytics@\d/),
  ]);
  const listed = (components as Component[])
    .filter(({ properties }) => !properties.some(({ name }) => name === "cdx:npm:package:development"))
    .map(({ name, version }) => `${name} ${version}`);
  const shipped = shippedPackages().map(({ name, version }) => `${name} ${version}`);
  expect([...new Set(listed)].sort()).toEqual([...new Set(shipped)].sort());
  const zod = (components as Component[]).find(({ name }) => name === "zod");
  expect(zod).toMatchObject({ licenses: [{ license: { id: "MIT" } }], hashes: [{ alg: "SHA-512" }] });
});

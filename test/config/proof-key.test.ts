import { generateKeyPairSync } from "node:crypto";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findProofKey, obtainProofKey } from "../../src/config/proof-key.ts";
import { exportPublicKey } from "../../src/util/signed-text.ts";
import { publishedWorld } from "../report/plays-world.ts";
import { publishFixture } from "../support/published-fixture.ts";
import { startVenue } from "../support/run-venue.ts";
import { createTempFolder } from "../support/temp-folder.ts";

it("makes one key for this user only, however many processes want it first", async () => {
  const workingFolder = createTempFolder();
  const file = join(workingFolder, "data", "proof-key.pem");
  await publishFixture(join(workingFolder, "data", "published"), publishedWorld("v000001", []));
  const environment = { VENUE_HOME: join(workingFolder, "home") };
  expect(findProofKey(file)).toBeUndefined();
  const programs = Array.from({ length: 6 }, () =>
    startVenue(["proof", "key"], { environment, workingFolder }),
  );
  const printed = await Promise.all(programs.map(async ({ finished }) => await finished));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const pem = exportPublicKey(obtainProofKey(file), "pem");
  for (const { code, stdout, stderr } of printed)
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: pem, stderr: "" });
});

it("does not replace an unusable key", () => {
  const file = join(createTempFolder(), "proof-key.pem");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  for (const content of ["", privateKey.export({ type: "pkcs8", format: "pem" })]) {
    writeFileSync(file, content);
    expect(() => obtainProofKey(file)).toThrow(file);
  }
});

import { createPublicKey } from "node:crypto";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkProof } from "../../src/report/proof/check-proof.ts";
import { shareDemoData } from "../support/shared-demo.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { ask, serveForTest } from "./served.ts";

it("shows everyone whether the pages can be read, but metrics only with the token", async () => {
  const folder = createTempFolder();
  cpSync(join(await shareDemoData(), "published"), join(folder, "published"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  const tokenFile = join(folder, "token");
  writeFileSync(tokenFile, "t".repeat(64), { mode: 0o600 });
  const { origin } = await serveForTest({ dataFolder: folder, tokenFile, withoutToken: false });
  const health = async () => {
    const { status, text } = await ask(origin, "/healthz");
    return { status, text };
  };
  expect(await health()).toEqual({ status: 200, text: "ok\n" });
  expect((await ask(origin, "/healthz", { headers: { Host: "elsewhere" } })).status).toBe(421);

  expect((await ask(origin, "/metrics")).status).toBe(401);
  const headers = { Authorization: `Bearer ${"t".repeat(64)}` };
  const { status, headers: given, text } = await ask(origin, "/metrics", { headers });
  expect([status, given["content-type"]]).toEqual([
    200,
    "application/openmetrics-text; version=1.0.0; charset=utf-8",
  ]);
  expect(text).toMatch(/^venue_devices 12$/m);
  expect(text).toMatch(
    /^venue_campaign_missed\{kind="signage",campaign="13",campaign_name="Late Night"\} \d+$/m,
  );

  rmSync(join(folder, "published"), { recursive: true });
  expect(await health()).toEqual({ status: 503, text: "not ok\n" });
});

it("shows everyone the public key for proofs, once there is one", async () => {
  const dataFolder = createTempFolder();
  cpSync(join(await shareDemoData(), "published"), join(dataFolder, "published"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  const tokenFile = join(dataFolder, "token");
  writeFileSync(tokenFile, "t".repeat(64), { mode: 0o600 });
  const { origin } = await serveForTest({ dataFolder, tokenFile, withoutToken: false });
  const showKey = () => ask(origin, "/proof-key.pem");
  expect(await showKey()).toMatchObject({ status: 404, text: expect.stringContaining("No proof") });
  const headers = { Authorization: `Bearer ${"t".repeat(64)}` };
  const proof = await ask(origin, "/proof.html?campaign=13&kind=signage", { headers });
  const { status, text } = await showKey();
  expect([proof.status, status]).toEqual([200, 200]);
  expect(checkProof(Buffer.from(proof.text), createPublicKey(text)).finding).toBe("signed");
  expect(text).not.toContain("PRIVATE");
  expect((await ask(origin, "/proof-key.pem", { headers: { Host: "elsewhere" } })).status).toBe(421);
  // A key that can't be read is only logged.
  writeFileSync(join(dataFolder, "proof-key.pem"), "");
  const { status: failed, text: page } = await showKey();
  expect([failed, page.includes(dataFolder)]).toEqual([503, false]);
});

import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/util/files/package-files.ts";
import { runVenue, startVenue } from "../support/run-venue.ts";
import { shareDemoData } from "../support/shared-demo.ts";
import { stableText } from "../support/stable-text.ts";
import { createTempFolder } from "../support/temp-folder.ts";

/** Self-signed, for venue.test and 127.0.0.1. */
const tlsFolder = join(packageRoot, "test", "fixtures", "tls");
const certificate = join(tlsFolder, "cert.pem");

const otherKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
  type: "pkcs8",
  format: "pem",
});

it("prints a one-time link first, serves the pages, and exits when interrupted", async () => {
  const { child, finished } = startVenue(["serve", "--port", "0"], {
    environment: { VENUE_DATA_DIR: await shareDemoData() },
    workingFolder: createTempFolder(),
  });
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const link = line.toString().trim();
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
  expect((await fetch(new URL("/", link))).status).toBe(403);
  const [cookie = ""] = (await fetch(link, { redirect: "manual" })).headers.getSetCookie();
  const headers = { Cookie: cookie.split(";")[0] ?? "" };
  expect((await fetch(new URL("/plays", link), { headers })).status).toBe(200);
  expect((await fetch(link)).status).toBe(403);
  child.kill("SIGINT");
  expect(await finished).toMatchObject({ code: 130, stderr: "Interrupted.\n" });
});

it("--open opens the link in the browser", async () => {
  const workingFolder = createTempFolder();
  const BROWSER = join(workingFolder, "browser");
  writeFileSync(BROWSER, '#!/bin/sh\nprintf %s "$1" > opened.part && mv opened.part opened\n', {
    mode: 0o755,
  });
  const { child } = startVenue(["serve", "--port", "0", "--open"], {
    environment: { VENUE_DATA_DIR: await shareDemoData(), BROWSER },
    workingFolder,
  });
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const opened = join(workingFolder, "opened");
  await expect.poll(() => existsSync(opened), { timeout: 30_000 }).toBe(true);
  expect(readFileSync(opened, "utf8")).toBe(line.toString().trim());
});

it("accepts the token of --token-file from programs on loopback", async () => {
  const workingFolder = createTempFolder();
  writeFileSync(join(workingFolder, "token"), "correct-horse-battery-staple\n", { mode: 0o600 });
  const { child } = startVenue(["serve", "--port", "0", "--token-file", "token"], {
    environment: { VENUE_DATA_DIR: await shareDemoData() },
    workingFolder,
  });
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const rows = new URL("/plays.csv", line.toString().trim());
  const headers = { Authorization: "Bearer correct-horse-battery-staple" };
  expect([(await fetch(rows, { headers })).status, (await fetch(rows)).status]).toEqual([200, 401]);
});

it("--no-token prints an address open to every user of this machine", async () => {
  const { child, finished } = startVenue(["serve", "--port", "0", "--no-token"], {
    environment: { VENUE_DATA_DIR: await shareDemoData() },
    workingFolder: createTempFolder(),
  });
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const address = line.toString().trim();
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  expect((await fetch(address)).status).toBe(200);
  child.kill("SIGINT");
  expect(await finished).toMatchObject({ code: 130, stderr: "Interrupted.\n" });
});

it.each([
  ["another host without protection", ["--host", "0.0.0.0"]],
  ["a certificate without its key", ["--tls-cert", "cert.pem"]],
  ["an invalid certificate", ["--tls-cert", "short", "--tls-key", join(tlsFolder, "key.pem")]],
  ["an invalid key", ["--tls-cert", certificate, "--tls-key", "short"]],
  ["the key of another certificate", ["--tls-cert", certificate, "--tls-key", "other"]],
  ["a missing token file", ["--token-file", "none"]],
  ["a token file with --no-token", ["--token-file", "short", "--no-token"]],
  ["no token beyond loopback", ["--host", "0.0.0.0", "--no-token"]],
  ["a guessable token", ["--token-file", "short"]],
])("refuses %s", async (_label, args) => {
  const workingFolder = createTempFolder();
  writeFileSync(join(workingFolder, "short"), "secret\n");
  writeFileSync(join(workingFolder, "other"), otherKey);
  const environment = { VENUE_DATA_DIR: await shareDemoData() };
  const { code, stderr, stdout } = await runVenue(["serve", "--port", "0", ...args], {
    environment,
    workingFolder,
  });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stableText(stderr)).toMatchSnapshot();
});

it("names the next step if nothing is published", async () => {
  const { code, stderr } = await runVenue(["serve", "--port", "0"], {
    environment: {},
    workingFolder: createTempFolder(),
  });
  expect(code).toBe(2);
  expect(stderr).toContain("Run `venue run` first");
});

/** Required flags to serve others; the token is in the working folder. */
const guards = ["--token-file", "token", "--tls-cert", certificate, "--tls-key", join(tlsFolder, "key.pem")];

it("prints an address for other machines and warns about a readable token file", async () => {
  const workingFolder = createTempFolder();
  writeFileSync(join(workingFolder, "token"), "correct-horse-battery-staple\n", { mode: 0o644 });
  const { child, finished } = startVenue(["serve", "--host", "0.0.0.0", "--port", "0", ...guards], {
    environment: { VENUE_DATA_DIR: await shareDemoData() },
    workingFolder,
  });
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  expect(new URL(line.toString().trim()).hostname).toBe(hostname().toLowerCase());
  child.kill("SIGINT");
  expect((await finished).stderr).toBe(
    "Other machines must use a host name in the certificate.\n" +
      `warning: Other users of this machine can use ${workingFolder}/token. Run chmod go-rwx ${workingFolder}/token\n` +
      "Interrupted.\n",
  );
});

it("beyond loopback it requires TLS and the token", async () => {
  const workingFolder = createTempFolder();
  const token = "correct-horse-battery-staple";
  writeFileSync(join(workingFolder, "token"), `${token}\n`);
  const { child } = startVenue(["serve", "--port", "0", ...guards], {
    environment: { VENUE_DATA_DIR: await shareDemoData() },
    workingFolder,
  });
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const { port, protocol } = new URL(line.toString().trim());
  expect(protocol).toBe("https:");
  const ca = readFileSync(certificate);
  const statusOf = (host: string, authorization?: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { Host: `${host}:${port}`, ...(authorization && { Authorization: authorization }) };
      const sent = request({ host: "127.0.0.1", port, ca, servername: "venue.test", headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on("error", reject);
      sent.end();
    });
  const basic = `Basic ${Buffer.from(`me:${token}`).toString("base64")}`;
  expect(await statusOf("venue.test", `Bearer ${token}`)).toBe(200);
  expect(await statusOf("venue.test", basic)).toBe(200);
  expect(await statusOf("venue.test")).toBe(401);
  expect(await statusOf("venue.test", "Bearer wrong")).toBe(401);
  expect(await statusOf("venue.example", `Bearer ${token}`)).toBe(421);
});

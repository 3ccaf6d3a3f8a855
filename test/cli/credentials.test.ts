import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { runVenue } from "../support/run-venue.ts";
import { serveRequests } from "../support/serve-requests.ts";
import { type Setup, setUp } from "../support/service.ts";
import { stableText } from "../support/stable-text.ts";

const small = { days: 1, zones: 2, playScale: 0.1 };
const listDevices = ["api", "devices", "status", "--group-id", "7"];

describe("an unencrypted service URL", () => {
  /** A local address that is not loopback by name: Linux routes it to loopback. */
  const reachable = (url = "") => url.replace("127.0.0.1", "0.0.0.0");

  it.each([listDevices, ["sync"], ["login"]])(
    "is rejected before anything is sent: venue %s",
    async (...args) => {
      const setup = await setUp(small);
      setup.environment.VENUE_BASE_URL = reachable(setup.emulator.baseUrl);
      const { code, stderr } = await runVenue(args, { ...setup, input: `${setup.emulator.oneTimeCode}\n` });
      expect(stableText(stderr)).toMatchSnapshot();
      expect([code, setup.emulator.requests.length]).toEqual([2, 0]);
      expect(existsSync(join(setup.workingFolder, "home", "credentials.json"))).toBe(false);
    },
  );

  it("is rejected for the status API, too", async () => {
    const setup = await setUp(small);
    setup.environment.VENUE_STATUS_URL = reachable(setup.emulator.statusUrl);
    const { code, stderr } = await runVenue(["api", "status", "page"], setup);
    expect(stableText(stderr)).toMatchSnapshot();
    expect([code, setup.emulator.requests.length]).toEqual([2, 0]);
  });

  it("is used with a warning if VENUE_ALLOW_HTTP is 1", async () => {
    const setup = await setUp(small);
    setup.environment.VENUE_BASE_URL = reachable(setup.emulator.baseUrl);
    setup.environment.VENUE_ALLOW_HTTP = "1";
    const args = ["api", "devices", "status", "--group-id", String(setup.emulator.world.groupIds[0])];
    const { code, stderr } = await runVenue(args, setup);
    expect(stableText(stderr)).toMatchSnapshot();
    expect(code).toBe(0);
  });
});

describe("a stored secret", () => {
  /** A second service, as set by the `.env` of an unfamiliar folder. It records all that it receives. */
  async function startForeignService() {
    const seen: { authorization?: string | undefined; body: string }[] = [];
    const url = await serveRequests((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        seen.push({ authorization: request.headers.authorization, body: Buffer.concat(chunks).toString() });
        response.setHeader("Content-Type", "application/json").end('{"access_token":"of-the-stranger"}');
      });
    });
    return { seen, baseUrl: `${url}/v5` };
  }

  async function setUpStored(file: (setup: Setup) => object) {
    const setup = await setUp(small);
    for (const name of ["VENUE_CLIENT_ID", "VENUE_CLIENT_SECRET"]) delete setup.environment[name];
    const path = join(setup.workingFolder, "home", "credentials.json");
    mkdirSync(dirname(path), { mode: 0o700 });
    writeFileSync(path, JSON.stringify(file(setup)), { mode: 0o600 });
    const groupId = String(setup.emulator.world.groupIds[0]);
    const read = async (baseUrl = setup.emulator.baseUrl) => {
      const environment = { ...setup.environment, VENUE_BASE_URL: baseUrl };
      return await runVenue(["api", "devices", "status", "--group-id", groupId], { ...setup, environment });
    };
    return { setup, path, read, stored: () => JSON.parse(readFileSync(path, "utf8")) };
  }

  const byLogin = ({ emulator: { clientId, clientSecret, baseUrl } }: Setup) => ({
    client_id: clientId,
    client_secret: clientSecret,
    base_url: baseUrl,
  });
  const byVersion020 = ({ emulator: { clientId, clientSecret } }: Setup) => ({
    client_id: clientId,
    client_secret: clientSecret,
  });

  it("is sent only to the base URL that it was fetched from, however written", async () => {
    const stranger = await startForeignService();
    const { setup, read } = await setUpStored(byLogin);
    expect(await read()).toMatchObject({ code: 0, stderr: "" });
    expect(await read(`${setup.emulator.baseUrl}/`)).toMatchObject({ code: 0, stderr: "" });
    const { code, stderr } = await read(stranger.baseUrl);
    expect([code, stranger.seen]).toEqual([2, []]);
    expect(stableText(stderr)).toMatchSnapshot();
    expect(stderr).not.toContain(setup.emulator.clientSecret);
  });

  it("of version 0.2.0 is bound to the base URL of its next use, with a notice", async () => {
    const stranger = await startForeignService();
    const { setup, path, read, stored } = await setUpStored(byVersion020);
    expect(await read()).toMatchObject({
      code: 0,
      stderr: `The secret in ${path} is now bound to ${setup.emulator.baseUrl}; it is sent to no other base URL.\n`,
    });
    expect(stored()).toEqual(byLogin(setup));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(path)).filter((name) => !name.startsWith("client.db"))).toEqual([
      "credentials.json",
    ]);
    expect(await read()).toMatchObject({ code: 0, stderr: "" });
    expect((await read(stranger.baseUrl)).code).toBe(2);
    expect(stranger.seen).toEqual([]);
  });

  it("is not bound to a URL without a request", async () => {
    const { setup, read, stored } = await setUpStored(byVersion020);
    expect((await read(setup.emulator.baseUrl.replace("127.0.0.1", "0.0.0.0"))).code).toBe(2);
    expect(stored()).toEqual(byVersion020(setup));
  });

  it("stays bound in a backup and in a restored home", async () => {
    const stranger = await startForeignService();
    const { setup, read, stored } = await setUpStored(byLogin);
    expect((await runVenue(["sync", "devices"], setup)).code).toBe(0);
    expect((await runVenue(["build"], setup)).code).toBe(0);
    expect((await runVenue(["backup", "--to", "kept", "--with-secret"], setup)).code).toBe(0);
    rmSync(join(setup.workingFolder, "home"), { recursive: true });
    expect((await runVenue(["restore", "--from", "kept", "--replace"], setup)).code).toBe(0);
    expect(stored()).toEqual(byLogin(setup));
    expect((await read(stranger.baseUrl)).code).toBe(2);
    expect((await read()).code).toBe(0);
    expect(stranger.seen).toEqual([]);
  });

  it("yields a token that is sent to no other base URL, even one with a secret of the same client", async () => {
    const stranger = await startForeignService();
    const { setup, read } = await setUpStored(byLogin);
    expect((await read()).code).toBe(0);
    const { clientId } = setup.emulator;
    Object.assign(setup.environment, { VENUE_CLIENT_ID: clientId, VENUE_CLIENT_SECRET: "of-the-stranger" });
    await read(stranger.baseUrl);
    expect(stranger.seen).not.toEqual([]);
    expect([...new Set(stranger.seen.map(({ authorization }) => authorization))]).toEqual([
      undefined,
      "Bearer of-the-stranger",
    ]);
    expect(JSON.stringify(stranger.seen)).not.toContain(setup.emulator.clientSecret);
  });
});

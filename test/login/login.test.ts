import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type { RequestListener, ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { itEachSampled } from "../support/long-suite.ts";
import { hasTerminals, startOnTerminal } from "../support/run-on-terminal.ts";
import { canRunThrough, type Finished, runVenue, startVenue } from "../support/run-venue.ts";
import { serveRequests } from "../support/serve-requests.ts";
import { type Setup, setUp as setUpService } from "../support/service.ts";
import { stableText } from "../support/stable-text.ts";

const small = { days: 1, zones: 2, playScale: 0.1 };

/** A machine whose user has a one-time code but no secret. */
async function setUp(): Promise<Setup & { home: string; code: string }> {
  const setup = await setUpService(small);
  setup.environment.VENUE_CLIENT_SECRET = "";
  return { ...setup, home: join(setup.workingFolder, "home"), code: setup.emulator.oneTimeCode };
}

function stored({ home }: { home: string }): unknown {
  return JSON.parse(readFileSync(join(home, "credentials.json"), "utf8"));
}

function files({ home }: { home: string }): string[] {
  return readdirSync(home).filter((name) => !name.startsWith("client.db"));
}

/** Number of requests for the secret. */
function countSecretRequests({ emulator }: Setup): number {
  return emulator.requests.filter(({ path }) => path.endsWith("/secret")).length;
}

function expectSecret({ stdout, stderr }: Finished, { emulator, code }: Setup & { code: string }): void {
  expect(stdout + stderr).not.toContain(emulator.clientSecret);
  expect(stdout + stderr).not.toContain(code);
}

describe("venue login", () => {
  it("stores the secret for this user only; doctor works with it", async () => {
    const setup = await setUp();
    const finished = await runVenue(["login"], { ...setup, input: `${setup.code}\n` });
    expect(finished.stderr).toBe("");
    expect(finished.code).toBe(0);
    expect(finished.stdout).toContain(join(setup.home, "credentials.json"));
    expectSecret(finished, setup);
    expect(stored(setup)).toEqual({
      client_id: setup.emulator.clientId,
      client_secret: setup.emulator.clientSecret,
      base_url: setup.emulator.baseUrl,
    });
    expect(statSync(join(setup.home, "credentials.json")).mode & 0o777).toBe(0o600);
    expect(statSync(setup.home).mode & 0o777).toBe(0o700);
    expect(files(setup)).toEqual(["credentials.json"]);
    setup.environment.VENUE_CLIENT_ID = "";
    const doctor = await runVenue(["doctor"], setup);
    expect(doctor.stdout).toMatch(/ok {4}credentials: client venue-demo, from .*credentials\.json/);
    expect(doctor.stdout).toMatch(/ok {4}service:/);
    expect(doctor.code).toBe(0);
  });

  it("accepts the code from a file, and the operator's link", async () => {
    const setup = await setUp();
    const link = `${setup.emulator.baseUrl}/api-clients/venue-demo/secret?one_time_code=${setup.code}`;
    writeFileSync(join(setup.workingFolder, "code.txt"), `${link}\n`);
    const finished = await runVenue(["login", "--code-file", "code.txt", "--json"], setup);
    expect(JSON.parse(finished.stdout)).toEqual({
      client_id: "venue-demo",
      file: join(setup.home, "credentials.json"),
    });
    expectSecret(finished, setup);
    expect(stored(setup)).toMatchObject({ client_secret: setup.emulator.clientSecret });
  });

  it.runIf(hasTerminals)("prompts on a terminal, and does not show the code", async () => {
    const setup = await setUp();
    const terminal = startOnTerminal(["login"], setup);
    await terminal.until("(not shown): ");
    terminal.type(`xx\u007f\u007f${setup.code}\r`);
    expect(await terminal.finished).toBe(0);
    expect(terminal.shown()).toContain("is stored in");
    expect(terminal.shown()).not.toContain(setup.code);
    expect(stored(setup)).toMatchObject({ client_secret: setup.emulator.clientSecret });
  });

  it.runIf(hasTerminals)("does not show a code entered before the prompt", async () => {
    const setup = await setUp();
    setup.environment.NODE_OPTIONS = `--import=${new URL("slow-terminal.mjs", import.meta.url)}`;
    const terminal = startOnTerminal(["login"], setup);
    await terminal.until("(not shown): ");
    terminal.type(`${setup.code}\r`);
    expect(await terminal.finished).toBe(0);
    expect(terminal.shown()).not.toContain(setup.code);
  });

  it.runIf(hasTerminals)("Ctrl-C at the prompt sends nothing and leaves nothing", async () => {
    const setup = await setUp();
    const terminal = startOnTerminal(["login"], setup);
    await terminal.until("(not shown): ");
    terminal.type("once\u0003");
    expect(await terminal.finished).toBe(130);
    expect(countSecretRequests(setup)).toBe(0);
    expect(files(setup)).toEqual([]);
  });

  it("a used code: reports it and the next step; the stored secret is kept", async () => {
    const setup = await setUp();
    const input = `${setup.code}\n`;
    expect((await runVenue(["login"], { ...setup, input })).code).toBe(0);
    const before = stored(setup);
    const again = await runVenue(["login"], { ...setup, input });
    expect(again.code).toBe(3);
    expect(stableText(again.stderr)).toMatchSnapshot();
    expectSecret(again, setup);
    expect(stored(setup)).toEqual(before);
    expect(files(setup)).toEqual(["credentials.json"]);
  });

  it("never accepts the code as an argument", async () => {
    const setup = await setUp();
    const finished = await runVenue(["login", setup.code], setup);
    expect(finished.code).toBe(2);
    expect(countSecretRequests(setup)).toBe(0);
  });

  it("warns of a secret in the environment, which overrides the stored one", async () => {
    const setup = await setUp();
    setup.environment.VENUE_CLIENT_SECRET = "an-older-one";
    const finished = await runVenue(["login"], { ...setup, input: setup.code });
    expect(stableText(finished.stderr)).toMatchSnapshot();
    expect(finished.code).toBe(0);
  });
});

describe("before the code is sent", () => {
  it.each<[string, string]>([
    ["no code", ""],
    ["blanks", "  \n"],
    ["two words", "one two"],
    ["a link without a code", "https://host/v5/api-clients/venue-demo/secret"],
    ["another service's link", "https://host/v5/api-clients/venue-demo/secret?one_time_code=x"],
    ["a whole file", "x".repeat(20_000)],
  ])("%s is rejected", async (_label, input) => {
    const setup = await setUp();
    const finished = await runVenue(["login"], { ...setup, input });
    expect(stableText(finished.stderr)).toMatchSnapshot();
    expect(finished.code).toBe(2);
    expect(countSecretRequests(setup)).toBe(0);
    expect(files(setup)).toEqual([]);
  });

  it.each(["VENUE_CLIENT_ID", "VENUE_BASE_URL"])("%s must be set", async (name) => {
    const setup = await setUp();
    setup.environment[name] = "";
    const finished = await runVenue(["login"], { ...setup, input: setup.code });
    expect(stableText(finished.stderr)).toMatchSnapshot();
    expect(finished.code).toBe(2);
  });

  it("another client's secret is kept without --replace", async () => {
    const setup = await setUp();
    const other = { client_id: "other", client_secret: "secret-of-other" };
    mkdirSync(setup.home, { mode: 0o700 });
    writeFileSync(join(setup.home, "credentials.json"), JSON.stringify(other), { mode: 0o600 });
    const refused = await runVenue(["login"], { ...setup, input: setup.code });
    expect(refused.code).toBe(2);
    expect(stableText(refused.stderr)).toMatchSnapshot();
    expect(countSecretRequests(setup)).toBe(0);
    expect(stored(setup)).toEqual(other);
    const replaced = await runVenue(["login", "--replace"], { ...setup, input: setup.code });
    expect(replaced.code).toBe(0);
    expect(stored(setup)).toMatchObject({ client_id: "venue-demo" });
  });

  it("the same client's secret for another service is kept too", async () => {
    const setup = await setUp();
    const other = {
      client_id: setup.emulator.clientId,
      client_secret: "secret-of-other",
      base_url: "https://other.example.com/v5",
    };
    mkdirSync(setup.home, { mode: 0o700 });
    writeFileSync(join(setup.home, "credentials.json"), JSON.stringify(other), { mode: 0o600 });
    const refused = await runVenue(["login"], { ...setup, input: setup.code });
    expect([refused.code, countSecretRequests(setup)]).toEqual([2, 0]);
    expect(stableText(refused.stderr)).toMatchSnapshot();
    expect(stored(setup)).toEqual(other);
  });

  it("other content in place of credentials is kept too", async () => {
    const setup = await setUp();
    mkdirSync(setup.home, { mode: 0o700 });
    writeFileSync(join(setup.home, "credentials.json"), "{broken", { mode: 0o600 });
    const finished = await runVenue(["login"], { ...setup, input: setup.code });
    expect(stableText(finished.stderr)).toMatchSnapshot();
    expect(finished.code).toBe(2);
    expect(countSecretRequests(setup)).toBe(0);
  });

  it("a secret left by a killed login with the same process id is kept, and --repair stores it", async () => {
    const setup = await setUp();
    mkdirSync(setup.home, { mode: 0o700 });
    const left = join(setup.home, `credentials.json.${process.pid}.part`);
    const { clientId, baseUrl } = setup.emulator;
    const secret = { client_id: clientId, client_secret: "once-only", base_url: baseUrl };
    writeFileSync(left, JSON.stringify(secret), { mode: 0o600 });
    const finished = await runVenue(["login"], { ...setup, input: `${setup.code}\n` });
    expect([finished.code, finished.stderr]).toEqual([2, expect.stringContaining("venue doctor --repair")]);
    expect(countSecretRequests(setup)).toBe(0);
    await runVenue(["doctor", "--repair"], setup);
    expect(stored(setup)).toEqual(secret);
    expect(files(setup)).toEqual(["credentials.json"]);
    // A failed login's leftover file is harmless.
    writeFileSync(left, " ".repeat(100), { mode: 0o600 });
    expect((await runVenue(["login"], { ...setup, input: `${setup.code}\n` })).code).toBe(0);
    expect(files(setup)).toEqual(["credentials.json"]);
  });

  it("detects a folder that can't be written to", async () => {
    const setup = await setUp();
    writeFileSync(join(setup.workingFolder, "file"), "");
    setup.environment.VENUE_HOME = join(setup.workingFolder, "file");
    const finished = await runVenue(["login"], { ...setup, input: setup.code });
    expect(stableText(finished.stderr)).toMatchSnapshot();
    expect(finished.code).toBe(2);
    expect(countSecretRequests(setup)).toBe(0);
  });

  it("detects a folder in place of credentials.json, also with --replace", async () => {
    const setup = await setUp();
    mkdirSync(join(setup.home, "credentials.json"), { recursive: true, mode: 0o700 });
    for (const args of [["login"], ["login", "--replace"]]) {
      const finished = await runVenue(args, { ...setup, input: setup.code });
      expect(stableText(finished.stderr)).toMatchSnapshot();
      expect([finished.code, countSecretRequests(setup)]).toEqual([2, 0]);
      expect(files(setup)).toEqual(["credentials.json"]);
    }
  });

  /** The wrapped command finds a disk mounted on the file, which cannot be replaced. */
  const withMounted = (file: string) => [
    "unshare",
    "--mount",
    "sh",
    "-c",
    'mount --bind "$0" "$0" && exec "$@"',
    file,
  ];

  it.runIf(canRunThrough(withMounted("/etc/hostname")))("detects a file that can't be replaced", async () => {
    const setup = await setUp();
    mkdirSync(setup.home, { mode: 0o700 });
    const path = join(setup.home, "credentials.json");
    const older = JSON.stringify({ client_id: setup.emulator.clientId, client_secret: "older" });
    writeFileSync(path, older, { mode: 0o600 });
    const options = { ...setup, input: setup.code };
    const finished = await startVenue(["login"], { ...options, through: withMounted(path) }).finished;
    expect(finished.stderr).toContain("EBUSY");
    expect([finished.code, countSecretRequests(setup)]).toEqual([2, 0]);
    expect(readFileSync(path, "utf8")).toBe(older);
    expect(files(setup)).toEqual(["credentials.json"]);
  });

  it("keeps the stored secret byte for byte if the service refuses the code", async () => {
    const setup = await setUp();
    mkdirSync(setup.home, { mode: 0o700 });
    const path = join(setup.home, "credentials.json");
    const bytes = Buffer.from([0xff, 0x00, 0x7b, 0x0a]);
    writeFileSync(path, bytes, { mode: 0o600 });
    const finished = await runVenue(["login", "--replace"], { ...setup, input: "used-before" });
    expect([finished.code, countSecretRequests(setup)]).toEqual([3, 1]);
    expect(readFileSync(path)).toEqual(bytes);
    expect(files(setup)).toEqual(["credentials.json"]);
  });

  it.skipIf(process.getuid?.() === 0)("detects a folder without permission", async () => {
    const setup = await setUp();
    mkdirSync(setup.home, { mode: 0o500 });
    const finished = await runVenue(["login"], { ...setup, input: setup.code });
    chmodSync(setup.home, 0o700);
    expect(finished.code).toBe(2);
    expect(countSecretRequests(setup)).toBe(0);
  });
});

describe("a lost response", () => {
  /** A service with its own response to requests for the secret. */
  async function setUpAnswer(answer: RequestListener) {
    const setup = await setUp();
    let requests = 0;
    const url = await serveRequests((request, response) => {
      requests += 1;
      answer(request, response);
    });
    setup.environment.VENUE_BASE_URL = `${url}/v5`;
    return { setup, requests: () => requests };
  }

  it.each<[string, RequestListener]>([
    ["the connection broke", (request) => request.socket.destroy()],
    ["the response was empty", (_request, response) => response.end()],
    ["the service failed", (_request, response) => response.writeHead(500).end()],
  ])(
    "%s: requested once; reports that the code may be used up, and the next step",
    async (_label, answer) => {
      const { setup, requests } = await setUpAnswer(answer);
      const finished = await runVenue(["login"], { ...setup, input: setup.code });
      expect(finished.code).toBe(3);
      expect(stableText(finished.stderr)).toMatchSnapshot();
      expect(finished.stdout + finished.stderr).not.toContain(setup.code);
      expect(requests()).toBe(1);
      expect(files(setup)).toEqual([]);
    },
  );

  it.each<[string, RequestListener]>([
    ["a web page", (_request, response) => response.end("<html>Your secret: page-secret-88</html>")],
    ["truncated JSON", (_request, response) => response.end('{"client_secret":"page-secret-88')],
    ["a sentence", (_request, response) => response.end("Your secret is page-secret-88")],
    [
      "two candidates",
      (_request, response) => response.end('{"secret":"page-secret-88","data":{"client_secret":"other"}}'),
    ],
    ["another name", (_request, response) => response.end('{"credential":"page-secret-88"}')],
  ])("with the secret in an unexpected place is kept: %s", async (_label, answer) => {
    const { setup, requests } = await setUpAnswer(answer);
    const finished = await runVenue(["login", "--debug"], { ...setup, input: setup.code });
    expect(finished.code).toBe(3);
    expect(finished.stdout + finished.stderr).not.toContain("page-secret-88");
    const [name = "", ...others] = files(setup);
    expect(others).toEqual([]);
    const path = join(setup.home, name);
    expect(finished.stderr).toContain(path);
    expect(readFileSync(path, "utf8")).toContain("page-secret-88");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(requests()).toBe(1);
  });

  it.each([
    ["a string", "plain-secret-77\n"],
    ["secret", '{"secret":"plain-secret-77","expires":null}'],
    ["one level down", '{"data":{"client_secret":"plain-secret-77"},"ok":true}'],
  ])("a secret of any form is stored: %s", async (_label, answer) => {
    const { setup } = await setUpAnswer((_request, response) => response.end(answer));
    const finished = await runVenue(["login"], { ...setup, input: setup.code });
    expect(finished.code, finished.stderr).toBe(0);
    expect(finished.stdout + finished.stderr).not.toContain("plain-secret-77");
    expect(stored(setup)).toMatchObject({ client_secret: "plain-secret-77" });
  });

  describe.skipIf(process.platform === "win32")("interrupted after the code was sent", () => {
    /** Starts `login`, and interrupts it twice once its request has arrived. */
    async function interrupt(signal: NodeJS.Signals, answer: (response: ServerResponse) => void) {
      let begun = () => {};
      const asked = new Promise<void>((resolve) => {
        begun = resolve;
      });
      let respond = () => {};
      const { setup, requests } = await setUpAnswer((_request, response) => {
        respond = () => answer(response);
        begun();
      });
      const running = startVenue(["login"], { ...setup, input: setup.code });
      await asked;
      running.child.kill(signal);
      while (!running.stderr().includes("Waiting for the response")) await sleep(10);
      running.child.kill(signal);
      // Longer than any other interrupted command may take.
      await sleep(1_700);
      expect(running.child.exitCode).toBeNull();
      respond();
      return { setup, requests, finished: await running.finished };
    }

    itEachSampled(["SIGTERM", "SIGINT", "SIGHUP"] as const, 1)("%s: the secret is stored", async (signal) => {
      const { setup, finished } = await interrupt(signal, (response) =>
        response.end('{"client_secret":"late-secret"}'),
      );
      expect(stored(setup)).toMatchObject({ client_secret: "late-secret" });
      expect(finished.stdout).toContain("is stored in");
      expect(finished.code).toBe(signal === "SIGINT" ? 130 : 143);
    });

    it("the response is lost: reports it", async () => {
      const { setup, requests, finished } = await interrupt("SIGINT", (response) => response.destroy());
      expect(stableText(finished.stderr)).toMatchSnapshot();
      expect(finished.code).toBe(3);
      expect(requests()).toBe(1);
      expect(files(setup)).toEqual([]);
    });

    it("the code is refused by a rate limit: it is not sent again", async () => {
      const { setup, requests, finished } = await interrupt("SIGINT", (response) =>
        response.writeHead(429, { "retry-after": "1" }).end(),
      );
      expect(finished.code).toBe(130);
      expect(requests()).toBe(1);
      expect(files(setup)).toEqual([]);
    });
  });
});

import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { alterService } from "../support/altered-service.ts";
import { itEachSampled } from "../support/long-suite.ts";
import { type Finished, runVenue } from "../support/run-venue.ts";
import { type Setup, setUp } from "../support/service.ts";

const small = { days: 1, zones: 12, playScale: 0.05 };

/** Puts a proxy port in front of the main API, which can be closed or switched to plain HTTP. */
async function setUpBehindPort() {
  const setup = await setUp(small);
  const main = new URL(setup.emulator.baseUrl);
  const open = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    open.add(socket);
    const toService = connect(Number(main.port), main.hostname);
    for (const stream of [socket, toService]) stream.on("error", () => {});
    socket.pipe(toService).pipe(socket);
    socket.on("close", () => toService.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      for (const socket of open) socket.destroy();
    });
  onTestFinished(() => void close());
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}${main.pathname}`;
  setup.environment.VENUE_BASE_URL = baseUrl;
  return { setup, baseUrl, close, countConnections: () => connections };
}

function expectOneReport({ code, stdout, stderr }: Finished, message: RegExp): void {
  expect(code, stderr).toBe(3);
  expect(stderr.match(new RegExp(message, "g")), stderr).toHaveLength(1);
  expect(`${stdout}${stderr}`.trim().split("\n").length).toBeLessThanOrEqual(10);
}

/** The status API is on another host; no other source is complete. */
function expectNothingComplete({ stdout }: Finished): void {
  const complete = [...stdout.matchAll(/^(\w+): (\d+) of (\d+) sources complete/gm)].map(
    ([, topic, count]) => `${topic} ${count}`,
  );
  expect(complete).toEqual(expect.arrayContaining(["devices 0", "history 0", "campaigns 0", "status 2"]));
}

const statusRequests = ({ emulator }: Setup) =>
  emulator.requests.filter(({ path }) => path.includes("/status/")).length;

itEachSampled(["sync", "run"], 1)(
  "%s reports once that there is no TLS or that the port is closed, and still collects the status API",
  async (command) => {
    const { setup, baseUrl, close, countConnections } = await setUpBehindPort();
    // All zones are known, and each is a separate source.
    expect((await runVenue(["sync"], setup)).code).toBe(0);
    const connected = countConnections();
    setup.environment.VENUE_BASE_URL = baseUrl.replace("http:", "https:");
    const unsafe = await runVenue([command], setup);
    expectOneReport(unsafe, /offers no trusted TLS connection/);
    expectNothingComplete(unsafe);
    expect(countConnections()).toBe(connected + 1);

    setup.environment.VENUE_BASE_URL = baseUrl;
    await close();
    const before = statusRequests(setup);
    const finished = await runVenue([command], setup);
    expectOneReport(finished, /Nothing was collected from the main API|Failed: /);
    expect(finished.stderr).toMatch(/refuses connections/);
    expect(finished.stderr.match(/attempt 2 of 5/g)).toHaveLength(1);
    expectNothingComplete(finished);
    expect(statusRequests(setup)).toBeGreaterThan(before);
  },
);

itEachSampled([401, 403], 1)("requests one token if credentials are refused (%i)", async (status) => {
  const setup = await setUp(small);
  const passed = await alterService(setup, ({ path }) => (path.endsWith("/token") ? { status } : undefined));
  const finished = await runVenue(["sync"], setup);
  expectOneReport(finished, /refused the credentials/);
  expectNothingComplete(finished);
  expect(passed.filter((request) => !request.includes("/of-status/"))).toEqual([
    "POST /v5/api-clients/token",
  ]);
});

it("reports the rest once if the port closes midway, and loads what arrived", async () => {
  const { setup, close } = await setUpBehindPort();
  setup.environment.VENUE_RATE_PER_SECOND = "20";
  const finishing = runVenue(["sync"], setup);
  const landed = () => setup.emulator.requests.filter(({ path }) => path.includes("/assets/")).length;
  while (landed() < 5) await new Promise((resolve) => setTimeout(resolve, 10));
  await close();
  const finished = await finishing;
  expect(finished.code, finished.stderr).toBe(3);
  expect(finished.stderr.match(/Not collected: /g)).toHaveLength(1);
  expect(finished.stderr).toMatch(/Not collected: .* and \d+ other sources: .* refuses connections/);
  expect(finished.stdout).toMatch(/campaigns: [1-9]\d* of 56 sources complete, \d+ failed/);
});

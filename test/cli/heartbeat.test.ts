import type { RequestListener } from "node:http";
import { expect, it, onTestFinished, vi } from "vitest";
import { Settings } from "../../src/config/settings.ts";
import { startHeartbeat } from "../../src/pipeline/heartbeat.ts";
import { silentLogger } from "../../src/util/logger.ts";
import { startConnectProxy } from "../support/connect-proxy.ts";
import { itEachSampled } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { serveRequests } from "../support/serve-requests.ts";
import { type Setup, setUp } from "../support/service.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const answer: RequestListener = (_, response) => response.end("OK");

/** A monitor, and the paths that were called. */
async function startMonitor(listener = answer) {
  const called: string[] = [];
  const origin = await serveRequests((request, response) => {
    called.push(request.url ?? "");
    listener(request, response);
  });
  return { called, url: `${origin}/ping/secret-id` };
}

/** A clock that ends a run at once. */
const implausible = { VENUE_NOW: "1990-01-01T00:00:00Z" };

async function runWith(setup: Setup, url: string, settings: NodeJS.ProcessEnv = {}) {
  const environment = { ...setup.environment, ...settings, VENUE_HEARTBEAT_URL: url };
  return await runVenue(["run"], { ...setup, environment });
}

it("calls the monitor at the start and after a success or a failure; through the proxy if it is on another host", async () => {
  const setup = await setUp({ days: 1, zones: 1, playScale: 0.1 });
  const { called, url } = await startMonitor();
  const proxy = await startConnectProxy(new URL(url).origin);
  vi.stubEnv("HTTP_PROXY", proxy.url);
  onTestFinished(() => void vi.unstubAllEnvs());
  // The service is on this machine.
  const first = await runWith(setup, "http://monitor.test/ping/secret-id");
  expect(first.code, first.stderr).toBe(0);
  expect(called.splice(0)).toEqual(["/ping/secret-id/start", "/ping/secret-id"]);
  expect(proxy.requested).toEqual(["monitor.test:80", "monitor.test:80"]);
  vi.unstubAllEnvs();
  expect((await runWith(setup, `${url}/`, { VENUE_BASE_URL: "http://127.0.0.1:9/v5" })).code).toBe(3);
  expect(called.splice(0)).toEqual(["/ping/secret-id/start", "/ping/secret-id/fail"]);
  expect((await runWith(setup, url, implausible)).code).toBe(2);
  expect(called).toEqual(["/ping/secret-id/start", "/ping/secret-id/fail"]);
});

const failures: readonly [string, RequestListener][] = [
  ["refuses", (_, response) => response.writeHead(404).end()],
  ["closes the connection", ({ socket }) => socket.destroy()],
  ["never answers", () => {}],
];

itEachSampled(failures, 2)(
  "a monitor that %s only causes warnings, without the address",
  async ([, listener]) => {
    const setup = await setUp({ days: 1, zones: 1, playScale: 0.1 });
    const { called, url } = await startMonitor(listener);
    const { code, stderr } = await runWith(setup, url, implausible);
    expect(code).toBe(2);
    expect(called).toHaveLength(2);
    expect(stderr.match(/VENUE_HEARTBEAT_URL can't be called: .*/g)).toMatchSnapshot();
    expect(stderr).not.toContain("secret-id");
  },
);

it.each([
  [true, "up", "The%20run%20succeeded."],
  [false, "down", "The%20run%20failed."],
])("fills in a push address at the end only: %s", async (isSuccess, status, message) => {
  const { called, url } = await startMonitor();
  const environment = { VENUE_HEARTBEAT_URL: `${url}/{status}?msg={message}` };
  const settings = new Settings({ flags: {}, environment, workingFolder: createTempFolder() });
  await startHeartbeat(settings, silentLogger).end(isSuccess);
  expect(called).toEqual([`/ping/secret-id/${status}?msg=${message}`]);
});

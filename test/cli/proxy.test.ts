import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { certificateFile, proxyPassword, serveTls, startConnectProxy } from "../support/connect-proxy.ts";
import { type Finished, runVenue, startVenue } from "../support/run-venue.ts";
import { setUp } from "../support/service.ts";

/** A service on https://venue.test, which only a proxy reaches. */
async function setUpBehindProxy() {
  const setup = await setUp({ days: 1, zones: 1, playScale: 0.1 });
  const { origin, pathname } = new URL(setup.emulator.baseUrl);
  const proxy = await startConnectProxy(await serveTls(origin));
  setup.environment.VENUE_BASE_URL = `https://venue.test${pathname}`;
  return { setup, proxy };
}

function expectSecret({ stdout, stderr }: Finished): void {
  for (const text of [proxyPassword, encodeURIComponent(proxyPassword)])
    expect(stdout + stderr).not.toContain(text);
}

it("reaches the service through the proxy in .env, with an authority named in the environment", async () => {
  const { setup, proxy } = await setUpBehindProxy();
  writeFileSync(join(setup.workingFolder, ".env"), `HTTPS_PROXY=${proxy.url}\n`);
  const environment = { ...setup.environment, NODE_EXTRA_CA_CERTS: certificateFile };
  const finished = await startVenue(["sync", "devices", "--debug"], { ...setup, environment }).finished;
  expect(finished.code, finished.stderr).toBe(0);
  expect(new Set(proxy.requested)).toEqual(new Set(["venue.test:443"]));
  expectSecret(finished);
});

it.each([
  [
    "an authority that is not trusted",
    (url: string) => url,
    /no trusted TLS connection .*NODE_EXTRA_CA_CERTS/,
  ],
  [
    "a wrong login",
    (url: string) => url.replace("venue:", "other:"),
    /venue\.test can't be reached, because the proxy answers with status 407\. Check HTTPS_PROXY/,
  ],
])("reports %s, and no password", async (_label, change, message) => {
  const { setup, proxy } = await setUpBehindProxy();
  vi.stubEnv("HTTPS_PROXY", change(proxy.url));
  onTestFinished(() => void vi.unstubAllEnvs());
  const finished = await runVenue(["sync", "devices", "--debug"], setup);
  expect([finished.code, finished.stderr]).toEqual([3, expect.stringMatching(message)]);
  expectSecret(finished);
});

import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { Refusals } from "../../../src/api/transport/budget.ts";
import { openClientState, readBudgets } from "../../../src/state/client/client-state.ts";
import { monotonicMs } from "../../../src/util/clock.ts";
import { defaultRetry } from "../../../src/util/retry-delays.ts";
import { itEachSampled, share } from "../../support/long-suite.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import {
  collect,
  createTestClient,
  failureOf,
  plainScript,
  startService,
} from "../support/scripted-service.ts";
import { spawnClient } from "../support/spawn-client.ts";

/** Maximum number of instants in any half-open window. */
function mostInWindow(instantsMs: readonly number[], windowMs: number): number {
  const sorted = [...instantsMs].sort((a, b) => a - b);
  return Math.max(
    ...sorted.map((start) => sorted.filter((at) => at >= start && at < start + windowMs).length),
  );
}

function sentInstants(stateFile: string): number[] {
  const state = openClientState(stateFile);
  const rows = state.all<{ sent_ms: number }>("select sent_ms from hit where sent_ms is not null");
  state.close();
  return rows.map(({ sent_ms }) => sent_ms);
}

/** On a busy machine the server may receive two requests closer together than they were sent. */
const tolerableMs = 150;

const atRates = [
  { ratePerSecond: 10, processes: 4, requests: 6 },
  { ratePerSecond: 1, processes: 5, requests: 1 },
];

it.each(share(atRates.slice(0, 1), atRates, atRates))(
  "$processes processes at $ratePerSecond/s never exceed the rate in any second, with one token",
  { retry: 2 },
  async ({ ratePerSecond, processes, requests }) => {
    const service = await startService();
    const stateFile = join(createTempFolder(), "client.db");
    const input = { baseUrl: service.baseUrl, stateFile, ratePerSecond, requests };
    const clients = Array.from({ length: processes }, () => spawnClient(input));
    const results = await Promise.all(clients.map(({ result }) => result));

    expect(results.every(({ failures }) => failures === 0)).toBe(true);
    expect(service.seenTokens()).toHaveLength(1);
    expect(service.seen).toHaveLength(processes * requests + 1);
    expect(results.reduce((sum, { sent }) => sum + sent, 0)).toBe(service.seen.length);
    expect(mostInWindow(sentInstants(stateFile), 1000)).toBeLessThanOrEqual(ratePerSecond);
    const seenMs = service.seen.map(({ atMs }) => atMs);
    expect(mostInWindow(seenMs, 1000 - tolerableMs)).toBeLessThanOrEqual(ratePerSecond);
  },
);

itEachSampled(["main", "status"], 1)(
  "three processes at one request per second request a cacheable response once: %s API",
  async (api) => {
    const service = await startService((request, response, count) => {
      if (request.path.endsWith("/token")) return plainScript(request, response, count);
      response
        .writeHead(200, { "content-type": "application/json", "cache-control": "private, max-age=60" })
        .end(JSON.stringify(api === "main" ? [] : { page: { state: "operational" } }));
    });
    const stateFile = join(createTempFolder(), "client.db");
    const [baseUrl, statusUrl] = [service.baseUrl, service.origin];
    const input = { baseUrl, stateFile, ratePerSecond: 1, requests: 1 };
    const clients = Array.from({ length: 3 }, () =>
      spawnClient(api === "main" ? input : { ...input, statusUrl }),
    );
    const results = await Promise.all(clients.map(({ result }) => result));
    expect(results.map(({ failures }) => failures)).toEqual([0, 0, 0]);
    expect(service.seen.map(({ path }) => path)).toEqual(
      api === "main" ? ["/v5/api-clients/token", "/v5/ext/devices/status?group_id=0"] : ["/api/v1/status"],
    );
  },
);

it("continues when waiting or sending processes are killed", async () => {
  const service = await startService((request, response, count) => {
    if (request.path.includes("group_id=0")) return; // Keeps the caller waiting.
    plainScript(request, response, count);
  });
  const stateFile = join(createTempFolder(), "client.db");
  const input = { baseUrl: service.baseUrl, stateFile, ratePerSecond: 10, requests: 30 };
  const doomed = [spawnClient(input), spawnClient(input)];
  while (service.seen.length < 6) await new Promise((resolve) => setTimeout(resolve, 20));
  for (const { child } of doomed) child.kill("SIGKILL");
  const seenBefore = service.seen.length;

  const client = createTestClient({ baseUrl: service.baseUrl, stateFile, ratePerSecond: 10 });
  await Promise.all([1, 2, 3].map((groupId) => collect(client.devices.status({ groupId }))));
  expect(service.seen.length).toBeLessThanOrEqual(seenBefore + 3 + 2);
  expect(mostInWindow(sentInstants(stateFile), 1000)).toBeLessThanOrEqual(10);
});

it("serves requests in order of arrival", async () => {
  const service = await startService();
  // Slow enough that each arrives before the next is sent, even on a busy machine.
  const client = createTestClient({ baseUrl: service.baseUrl, ratePerSecond: 4 });
  await collect(client.devices.status({ groupId: 0 }));
  const groups = [1, 2, 3, 4, 5, 6];
  await Promise.all(groups.map((groupId) => collect(client.devices.status({ groupId }))));
  expect(service.seenExt().map(({ path }) => path)).toEqual(
    [0, ...groups].map((id) => `/v5/ext/devices/status?group_id=${id}`),
  );
});

it("an abort ends the wait at once and frees the place in the queue", async () => {
  const service = await startService();
  const client = createTestClient({ baseUrl: service.baseUrl, ratePerSecond: 0.001 });
  const stop = new AbortController();
  // The token uses up the only request allowed in 15 minutes.
  const waiting = failureOf(collect(client.devices.status({ groupId: 1, signal: stop.signal })));
  while (service.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  setTimeout(() => stop.abort(new Error("stopped by hand")), 50);
  expect((await waiting).message).toBe("stopped by hand");
  expect(service.seenExt()).toHaveLength(0);
});

it("an abort ends the wait for a response at once", async () => {
  const service = await startService((request, response, count) => {
    if (request.path.endsWith("/token")) plainScript(request, response, count);
  });
  const client = createTestClient({ baseUrl: service.baseUrl });
  const stop = new AbortController();
  const waiting = failureOf(client.exports.get({ jobId: "j", signal: stop.signal }));
  while (service.seenExt().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  stop.abort(new Error("stopped by hand"));
  expect((await waiting).message).toBe("stopped by hand");
});

it("closing ends all waits", async () => {
  const service = await startService();
  const client = createTestClient({ baseUrl: service.baseUrl, ratePerSecond: 0.001 });
  const waiting = failureOf(collect(client.devices.status({ groupId: 1 })));
  while (service.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await client.close();
  expect((await waiting).message).toBe("the client was closed");
});

it("pauses all processes after a refusal without Retry-After, too", async () => {
  const service = await startService((request, response, count) => {
    if (request.path.includes("group_id=1")) response.writeHead(429).end();
    else plainScript(request, response, count);
  });
  const stateFile = join(createTempFolder(), "client.db");
  const retry = { attempts: 2, firstDelayMs: 60_000, random: () => 1 };
  const client = createTestClient({ baseUrl: service.baseUrl, stateFile, retry });
  const stop = new AbortController();
  const refused = failureOf(collect(client.devices.status({ groupId: 1, signal: stop.signal })));
  const state = openClientState(stateFile);
  while (!readBudgets(state).some(({ heldMs }) => heldMs > 0)) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  state.close();
  stop.abort(new Error("stopped by hand"));
  expect((await refused).message).toBe("stopped by hand");
  expect(service.seenExt()).toHaveLength(1);
});

it.each([429, 408, 500, 502, 503, 504])(
  "pauses all processes when the service requests it with %i",
  async (status) => {
    const service = await startService((request, response, count) => {
      if (request.path.includes("group_id=1") && count === 1) {
        response.writeHead(status, { "retry-after": "1" }).end();
      } else plainScript(request, response, count);
    });
    const stateFile = join(createTempFolder(), "client.db");
    const first = createTestClient({ baseUrl: service.baseUrl, stateFile });
    const second = createTestClient({ baseUrl: service.baseUrl, stateFile });
    const refused = collect(first.devices.status({ groupId: 1 }));
    const state = openClientState(stateFile);
    // A client can only obey a limit it has received.
    await vi.waitUntil(() => readBudgets(state).some(({ heldMs }) => heldMs > 0), { interval: 5 });
    state.close();
    const [{ atMs: refusedMs } = { atMs: 0 }] = service.seenExt();
    await Promise.all([refused, collect(second.devices.status({ groupId: 2 }))]);
    const later = service.seenExt().slice(1);
    expect(later).toHaveLength(2);
    for (const { atMs } of later) expect(atMs - refusedMs).toBeGreaterThan(950);
  },
);

it.each([
  [429, "RateLimitedError"],
  [503, "ServiceFailedError"],
  [502, "ServiceFailedError"],
])(
  "fails at once after the service has refused everything (%i) for a request's time limit",
  async (status, name) => {
    let isOver = false;
    const service = await startService((request, response, count) => {
      if (isOver || request.path.endsWith("/token")) plainScript(request, response, count);
      else response.writeHead(status, { "retry-after": "3" }).end();
    });
    const retry = { attempts: 8, firstDelayMs: 1, totalMs: 500 };
    const client = createTestClient({ baseUrl: service.baseUrl, retry });
    const list = (groupId: number) => collect(client.devices.status({ groupId }));
    const startedMs = performance.now();
    for (const error of await Promise.all([1, 2, 3].map((groupId) => failureOf(list(groupId)))))
      expect(error.name).toBe(name);
    expect((await failureOf(list(4))).name).toBe(name);
    expect(performance.now() - startedMs).toBeLessThan(2_900);
    expect(service.seenExt().length).toBeLessThanOrEqual(3);
    isOver = true;
    await new Promise((resolve) => setTimeout(resolve, startedMs + 4_000 - performance.now()));
    expect(await list(5)).toEqual([]);
  },
);

it("doubles the pause per refusal up to a limit, once for concurrent requests, until one succeeds", () => {
  const refusals = new Refusals({ ...defaultRetry, firstDelayMs: 500, longestDelayMs: 1500 });
  const sentMs = monotonicMs() - 1;
  const record = (status: number, sent = monotonicMs()) => refusals.record(status, {}, sent);
  expect(record(429, sentMs)).toBe(500);
  expect(record(429, sentMs)).toBeUndefined();
  expect([record(429), record(429), record(200), record(429)]).toEqual([1000, 1500, undefined, 500]);
});

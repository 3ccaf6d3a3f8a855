import type { RequestListener } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { trinoUnreachableError } from "../../../src/engines/errors.ts";
import { Nessie } from "../../../src/engines/nessie/nessie.ts";
import { type RemoteOptions, RemoteService } from "../../../src/engines/remote/remote-service.ts";
import { TrinoEngine } from "../../../src/engines/trino/trino-engine.ts";
import { silentLogger } from "../../../src/util/logger.ts";
import { serveRequests } from "../../support/serve-requests.ts";

const quick = { firstDelayMs: 1, longestDelayMs: 1 };
const get = { method: "GET", path: "/", repeat: "always" } as const;

function open(url: string, more: Partial<RemoteOptions> = {}): RemoteService {
  const service = new RemoteService(
    { url, logger: silentLogger, retry: quick, ...more },
    trinoUnreachableError,
  );
  onTestFinished(() => service.close());
  return service;
}

/** Fails the first requests in these ways, one by one, then responds. */
function failing(faults: readonly (number | "reset" | "cut")[]): {
  listener: RequestListener;
  count(): number;
} {
  let requests = 0;
  return {
    count: () => requests,
    listener: (request, response) => {
      const fault = faults[requests++];
      if (fault === "reset") request.socket.destroy();
      else if (fault === "cut")
        response.writeHead(200, { "content-length": 9 }).write("a", () => request.socket.destroy());
      else response.writeHead(fault ?? 200).end("answer");
    },
  };
}

it("retries transient failures", async () => {
  const { listener, count } = failing([503, "reset", 502, "cut", 504, 429]);
  expect(await open(await serveRequests(listener)).send(get)).toEqual({ status: 200, text: "answer" });
  expect(count()).toBe(7);
});

it("retries a change only if it was not executed", async () => {
  const { listener, count } = failing([503, 429, 502]);
  const service = open(await serveRequests(listener));
  await expect(service.send({ ...get, method: "POST", repeat: "ifNotExecuted" })).rejects.toThrow(
    "status 502",
  );
  expect(count()).toBe(3);
});

it("returns responses that a retry would not change", async () => {
  const { listener, count } = failing([500]);
  expect(await open(await serveRequests(listener)).send(get)).toEqual({ status: 500, text: "answer" });
  expect(count()).toBe(1);
});

it("eventually gives up", async () => {
  const { listener, count } = failing([503, 503, 503, 503]);
  const service = open(await serveRequests(listener), { retry: { ...quick, attempts: 3 } });
  await expect(service.send(get)).rejects.toThrow(expect.objectContaining({ code: "TRINO_UNREACHABLE" }));
  expect(count()).toBe(3);
});

it("soon gives up on a service that never responded", async () => {
  let repeats = 0;
  const logger = { ...silentLogger, debug: () => (repeats += 1) };
  await expect(open("http://127.0.0.1:1", { logger }).send(get)).rejects.toThrow("refuses connections");
  expect(repeats).toBe(3);
  const once = open("http://127.0.0.1:1", { logger, retry: { attempts: 1 } });
  await expect(once.send(get)).rejects.toThrow("refuses connections");
  expect(repeats).toBe(3);
});

it("stops waiting when the signal aborts", async () => {
  const service = open(await serveRequests(failing([503]).listener), {
    retry: { firstDelayMs: 60_000, random: () => 0.9 },
  });
  const controller = new AbortController();
  const response = service.send({ ...get, signal: controller.signal });
  setTimeout(() => controller.abort(new Error("enough")), 50);
  await expect(response).rejects.toThrow("enough");
});

it.each([
  ["an invalid URL", "trino:8080", "is not a server address"],
  ["a password in the URL", "http://me:secret@trino:8080", "contains a user or password"],
  ["unencrypted credentials", "http://trino.example:8080", "unencrypted"],
])("rejects %s", (_label, url, message) => {
  const opened = () => open(url, { authorization: "Bearer abc" });
  expect(opened).toThrow(expect.objectContaining({ code: "REMOTE_ADDRESS" }));
  expect(opened).toThrow(message);
  expect(opened).not.toThrow("secret");
});

it("reports an engine that is missing or is something else", async () => {
  const options = { logger: silentLogger, retry: quick };
  const other = await serveRequests((_request, response) => response.end("<html>"));
  const trino = (url: string) => new TrinoEngine({ ...options, url, user: "me", catalog: "any" });
  const nowhere = "http://127.0.0.1:1";
  await expect(trino(nowhere).run("select 1")).rejects.toThrow(
    "Trino at http://127.0.0.1:1 refuses connections. Check its address, and whether the service is up.",
  );
  await expect(trino(other).run("select 1")).rejects.toThrow("does not respond like Trino (status 200");
  await expect(new Nessie({ ...options, url: nowhere }).listBranches()).rejects.toThrow(
    expect.objectContaining({ code: "NESSIE_UNREACHABLE" }),
  );
  await expect(new Nessie({ ...options, url: other }).listBranches()).rejects.toThrow(
    "does not respond like Nessie",
  );
});

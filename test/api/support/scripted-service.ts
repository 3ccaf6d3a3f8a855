import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createVenueClient, type VenueClient, type VenueClientOptions } from "../../../src/api/client.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

export interface SeenRequest {
  /** Arrival time in milliseconds since the server started. */
  atMs: number;
  method: string;
  /** Includes the query. */
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface ScriptedService {
  /** Versioned root, in the form of `VENUE_BASE_URL`. */
  baseUrl: string;
  origin: string;
  /** All requests, tokens included. */
  seen: SeenRequest[];
  /** Requests below `/v5/ext/`. */
  seenExt(): SeenRequest[];
  seenTokens(): SeenRequest[];
}

/** Answers one request. `count` is 1 for the first with the same method and path, query included. */
export type Script = (request: SeenRequest, response: ServerResponse, count: number) => void;

/** Answers tokens `token-1`, `token-2` … and everything else with an empty list. */
export const plainScript: Script = (request, response, count) => {
  if (request.path === "/v5/api-clients/token") answerJson(response, { access_token: `token-${count}` });
  else answerJson(response, []);
};

export function answerJson(response: ServerResponse, json: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
}

/** Starts a real server, on a free port by default; it closes when the test ends. */
export async function startService(script: Script = plainScript, port = 0): Promise<ScriptedService> {
  const startedMs = performance.now();
  const seen: SeenRequest[] = [];
  const counts = new Map<string, number>();
  const server = createServer((message, response) => {
    const atMs = performance.now() - startedMs;
    const chunks: Buffer[] = [];
    message.on("data", (chunk: Buffer) => chunks.push(chunk));
    message.on("end", () => {
      const { method = "", url: path = "", headers } = message;
      const request = { atMs, method, path, headers, body: Buffer.concat(chunks).toString() };
      seen.push(request);
      const key = `${method} ${path}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      script(request, response, counts.get(key) ?? 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl: `${origin}/v5`,
    origin,
    seen,
    seenExt: () => seen.filter(({ path }) => path.startsWith("/v5/ext/")),
    seenTokens: () => seen.filter(({ path }) => path === "/v5/api-clients/token"),
  };
}

export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A fast client with its own state file, closed when the test ends. */
export function createTestClient(
  options: Partial<VenueClientOptions> & Pick<VenueClientOptions, "baseUrl">,
): VenueClient {
  const client = createVenueClient({
    credentials: { clientId: "client-7", clientSecret: "s3cret-of-client-7" },
    ratePerSecond: 1000,
    stateFile: join(createTempFolder(), "home", "client.db"),
    retry: { attempts: 3, firstDelayMs: 1 },
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Returns the error of a promise that must fail. */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error("it did not fail");
}

import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline, Readable } from "node:stream";
import { onTestFinished } from "vitest";
import type { Setup } from "./service.ts";

/** A request to the service. `count` is 1 for the first with the same method and path, query included. */
export interface PassingRequest {
  method: string;
  /** Includes the query. */
  path: string;
  body: string;
  count: number;
}

export interface PassingAnswer {
  status: number;
  headers: Headers;
  body: Buffer;
}

/** A replacement for the service's response, or a change to it; `undefined` leaves it unchanged. */
export type Alteration =
  | { status: number; headers?: Record<string, string>; body?: string }
  // biome-ignore lint/suspicious/noExplicitAny: answers of any endpoint are altered
  | { json: (answer: any) => unknown }
  /** Sends a different request to the service. */
  | { path: string; body: string }
  /** All bytes of the response, head included; the connection ends after them. */
  | { bytes: (answer: PassingAnswer) => Iterable<string | Buffer> | AsyncIterable<string | Buffer> }
  | undefined;

/**
 * Puts a server that alters responses between the setup and its emulated service, downloads included. Returns
 * the requests so far, as `GET /v5/…`.
 */
export async function alterService(
  setup: Setup,
  alter: (request: PassingRequest) => Alteration,
): Promise<string[]> {
  const { emulator, environment } = setup;
  const main = new URL(emulator.baseUrl);
  const passed: string[] = [];
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk);
    const { method = "", url: path = "", headers } = message;
    passed.push(`${method} ${path}`);
    const count = passed.filter((other) => other === `${method} ${path}`).length;
    const body = Buffer.concat(chunks).toString();
    const alteration = alter({ method, path, body, count });
    if (alteration && "status" in alteration) {
      response.writeHead(alteration.status, { "content-type": "application/json", ...alteration.headers });
      response.end(alteration.body ?? "{}");
      return;
    }
    const asked = { path, body, ...(alteration && "path" in alteration && alteration) };
    const answer = await ask(emulator, method, headers, asked);
    if (alteration && "bytes" in alteration) {
      if (response.socket) pipeline(Readable.from(alteration.bytes(answer)), response.socket, () => {});
      return;
    }
    const links = `http://${headers.host}${downloadRoot}`;
    const isAltered = alteration && "json" in alteration && answer.status < 400;
    const sent = isAltered
      ? Buffer.from(JSON.stringify(alteration.json(JSON.parse(answer.body.toString()))))
      : answer.body;
    const isJson = /json$/.test(answer.headers.get("content-type") ?? "");
    response.writeHead(answer.status, passedOn(answer.headers));
    response.end(isJson ? sent.toString().replaceAll(emulator.downloadOrigin, links) : sent);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(environment, {
    VENUE_BASE_URL: `${origin}${main.pathname}`,
    VENUE_STATUS_URL: `${origin}${statusRoot}`,
  });
  return passed;
}

/** Prefixes for the status API and downloads. */
const statusRoot = "/of-status";
const downloadRoot = "/of-downloads";

async function ask(
  emulator: Setup["emulator"],
  method: string,
  headers: IncomingHttpHeaders,
  { path, body }: { path: string; body: string },
): Promise<PassingAnswer> {
  const names = ["authorization", "content-type", "range", "if-range"];
  const passing = names.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])]],
  );
  const answer = await fetch(targetOf(emulator, path), {
    method,
    headers: { ...Object.fromEntries(passing), "accept-encoding": "identity" },
    ...(body === "" ? {} : { body }),
  });
  return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
}

function targetOf({ baseUrl, statusUrl, downloadOrigin }: Setup["emulator"], path: string): string {
  if (path.startsWith(statusRoot)) return `${statusUrl.replace(/\/$/, "")}${path.slice(statusRoot.length)}`;
  if (path.startsWith(downloadRoot)) return `${downloadOrigin}${path.slice(downloadRoot.length)}`;
  return `${new URL(baseUrl).origin}${path}`;
}

function passedOn(headers: Headers): Record<string, string> {
  const names = ["content-type", "content-range", "accept-ranges", "etag"];
  return Object.fromEntries(
    names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? ""]] : [])),
  );
}

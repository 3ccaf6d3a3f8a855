import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Setup } from "./service.ts";

/** A request on its way to the service. `count` is 1 for the first of the same method and path, query included. */
export interface PassingRequest {
  method: string;
  /** With its query. */
  path: string;
  count: number;
}

/** What comes instead of the service's answer, or what becomes of its JSON; `undefined`: its answer as it is. */
export type Alteration =
  | { status: number; headers?: Record<string, string>; body?: string }
  // biome-ignore lint/suspicious/noExplicitAny: answers of any endpoint are altered
  | { json: (answer: any) => unknown }
  | undefined;

/**
 * Puts a server between the setup and its emulated service that alters answers. Answers all that passed so far, as
 * `GET /v5/…`.
 */
export async function alterService(
  setup: Setup,
  alter: (request: PassingRequest) => Alteration,
): Promise<string[]> {
  const { emulator, environment } = setup;
  const main = new URL(emulator.baseUrl);
  const status = new URL(emulator.statusUrl);
  const passed: string[] = [];
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk);
    const { method = "", url: path = "", headers } = message;
    passed.push(`${method} ${path}`);
    const count = passed.filter((other) => other === `${method} ${path}`).length;
    const alteration = alter({ method, path, count });
    if (alteration && "status" in alteration) {
      response.writeHead(alteration.status, { "content-type": "application/json", ...alteration.headers });
      response.end(alteration.body ?? "{}");
      return;
    }
    const isStatus = path.startsWith(statusRoot);
    const target = isStatus
      ? `${status.origin}${status.pathname.replace(/\/$/, "")}${path.slice(statusRoot.length)}`
      : `${main.origin}${path}`;
    const answer = await fetch(target, {
      method,
      headers: Object.fromEntries(
        ["authorization", "content-type"].flatMap((name) =>
          headers[name] === undefined ? [] : [[name, String(headers[name])]],
        ),
      ),
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    const text = await answer.text();
    const isAltered = alteration !== undefined && answer.ok;
    response.writeHead(answer.status, {
      "content-type": answer.headers.get("content-type") ?? "application/json",
    });
    response.end(isAltered ? JSON.stringify(alteration.json(JSON.parse(text))) : text);
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

/** Under which the status API is passed on. */
const statusRoot = "/of-status";

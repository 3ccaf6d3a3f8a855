import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/**
 * Fault of a request:
 * - `lost`: the request is carried out, but its response is lost
 * - `unsent`: the connection breaks before the request is carried out
 * - `cut`: only half of the body arrives, of an upload or of a response
 * - `stale`: a listing gets the answer to the last one that was not stale; the first is never stale
 * - a status and a code: returned instead of carrying out the request
 */
export type Fault = "lost" | "unsent" | "cut" | "stale" | `${number} ${string}`;

/** Returns the fault of a request, or `undefined` to pass it on. */
export type ChooseFault = (method: string, path: string, headers: IncomingHttpHeaders) => Fault | undefined;

/** Starts a proxy in front of a store, for one test, and returns its endpoint. */
export async function startFaultyProxy(endpoint: string, choose: ChooseFault): Promise<string> {
  const listings = new Map<string, Buffer>();
  const server = createServer((incoming, outgoing) =>
    pass(incoming, outgoing, { endpoint, choose, listings }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => close(server));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** Returns a function that returns the fault for the first matching requests. */
export function failFirst(fault: Fault, method: string, times = 1, pattern = /./): ChooseFault {
  let left = times;
  return (used, path) => {
    if (used !== method || !pattern.test(path) || left === 0) return undefined;
    left -= 1;
    return fault;
  };
}

interface Proxy {
  endpoint: string;
  choose: ChooseFault;
  /** Last answers to listings, by URL. */
  listings: Map<string, Buffer>;
}

function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { endpoint, choose, listings }: Proxy,
): void {
  const { method = "", url = "" } = incoming;
  const fault = choose(method, url, incoming.headers);
  if (fault === "unsent") {
    incoming.socket.destroy();
    return;
  }
  const [status = "", code = ""] = fault?.split(" ") ?? [];
  if (code !== "") {
    incoming.resume().on("end", () => {
      outgoing.writeHead(Number(status), { "content-type": "application/xml" });
      outgoing.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
    });
    return;
  }
  const listing = listings.get(url);
  if (fault === "stale" && listing) {
    outgoing.writeHead(200, { "content-type": "application/xml" });
    outgoing.end(listing);
    return;
  }
  // The signature covers the host, so the header keeps the proxy's.
  const forwarded = request(new URL(url, endpoint), { method, headers: incoming.headers }, (response) => {
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    response.on("end", () => {
      const body = Buffer.concat(chunks);
      if (isListing(url)) listings.set(url, body);
      if (fault === "lost") {
        incoming.socket.destroy();
        return;
      }
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      if (fault !== "cut") outgoing.end(body);
      else outgoing.write(body.subarray(0, body.length / 2), () => incoming.socket.destroy());
    });
  });
  forwarded.on("error", () => incoming.socket.destroy());
  if (fault !== "cut" || method !== "PUT") incoming.pipe(forwarded);
  else
    void buffer(incoming).then((body) =>
      forwarded.write(body.subarray(0, body.length / 2), () => forwarded.destroy()),
    );
}

export function isListing(url: string): boolean {
  return url.includes("list-type=2");
}

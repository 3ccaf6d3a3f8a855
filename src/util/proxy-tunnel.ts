import { type ClientRequestArgs, request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import type { Socket } from "node:net";
import { urlToHttpOptions } from "node:url";
import { isLoopback } from "./http-values.ts";

/**
 * Opens a connection to a URL's host through a proxy (`CONNECT`). The proxy for the URL's scheme is set by
 * `HTTPS_PROXY` or `HTTP_PROXY`, in upper or lower case. Returns `undefined` without a proxy, for hosts in
 * `NO_PROXY`, and for loopback, which no proxy can reach.
 * @throws a connection error whose code begins with `PROXY_`; never contains the proxy's URL, which may have a
 * password
 */
export function openTunnel(target: URL, timeoutMs: number): Promise<Socket> | undefined {
  const text = readVariable(target.protocol === "https:" ? "https_proxy" : "http_proxy");
  if (text === "" || isLoopback(target) || isExcluded(target)) return undefined;
  const proxy = parseProxy(text);
  return proxy ? connectThrough(proxy, target, timeoutMs) : Promise.reject(toProxyError("ERR_INVALID_URL"));
}

/** Returns true if openTunnel may open connections. */
export function isProxySet(): boolean {
  return readVariable("https_proxy") !== "" || readVariable("http_proxy") !== "";
}

/** Reads a variable from the environment, not from the settings, because all programs on a machine share it. */
function readVariable(name: string): string {
  return (process.env[name] || process.env[name.toUpperCase()] || "").trim();
}

/** Returns true for hosts in `NO_PROXY`, including their subdomains; ports are optional, and `*` means all hosts. */
function isExcluded(target: URL): boolean {
  const names = [target.hostname, withPort(target)];
  const entries = readVariable("no_proxy")
    .toLowerCase()
    .split(/[\s,]+/);
  return entries.some((entry) => {
    const host = entry.replace(/^\*?\./, "");
    return entry === "*" || (host && names.some((name) => name === host || name.endsWith(`.${host}`)));
  });
}

function withPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

function parseProxy(text: string): ClientRequestArgs | undefined {
  try {
    const proxy = urlToHttpOptions(new URL(text.includes("://") ? text : `http://${text}`));
    return /^https?:$/.test(proxy.protocol ?? "") ? proxy : undefined;
  } catch {
    return undefined;
  }
}

async function connectThrough(
  { protocol, hostname, port, auth }: ClientRequestArgs,
  target: URL,
  timeoutMs: number,
): Promise<Socket> {
  const request = (protocol === "https:" ? requestTls : requestPlain)({
    hostname,
    port,
    method: "CONNECT",
    path: withPort(target),
    headers: {
      host: withPort(target),
      ...(auth && { "proxy-authorization": `Basic ${Buffer.from(auth).toString("base64")}` }),
    },
    agent: false,
    timeout: timeoutMs,
  });
  return await new Promise((resolve, reject) => {
    request.once("connect", ({ statusCode }, socket: Socket) => {
      socket.setTimeout(0);
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(toProxyError(`${statusCode}`));
    });
    request.once("timeout", () => request.destroy(toProxyError("ETIMEDOUT")));
    request.once("error", ({ code = "ECONNRESET" }: NodeJS.ErrnoException) => reject(toProxyError(code)));
    request.end();
  });
}

/** @param code of the failed connection to the proxy, or the status with which the proxy refuses to connect */
function toProxyError(code: string): Error {
  const name = code.startsWith("PROXY_") ? code : `PROXY_${code}`;
  return Object.assign(new Error("no connection through the proxy"), { code: name });
}

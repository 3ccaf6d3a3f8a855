import { lookup as systemLookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import type { Dispatcher } from "undici";
import {
  ConnectionFailedError,
  createStatusError,
  isRefusal,
  LinkRefusedError,
  type RequestTarget,
  shortenResponseText,
} from "./errors.ts";
import { readBody } from "./transport/read-body.ts";
import { parseRetryAfter } from "./transport/retry.ts";
import { Secrets } from "./transport/secrets.ts";

const maxErrorBytes = 64 * 1024;

/** Returns a download link for use in errors, without the query, which contains the signature. */
export function toLinkTarget(url: URL): RequestTarget {
  return { method: "GET", path: url.origin + url.pathname, root: "link" };
}

/**
 * Reads the error from a response. Most 4xx statuses may mean an expired signature, so the caller requests a
 * new link.
 */
export async function readLinkError(
  url: URL,
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
): Promise<Error> {
  const limits = { limitBytes: maxErrorBytes, isLimitSoft: true };
  const text = await readBody(body, headers["content-encoding"], limits).catch(() => "");
  // Object stores repeat the signature and its inputs in error responses, so these are removed.
  const retryAfter = parseRetryAfter(headers["retry-after"], headers.date);
  const refusal = { status, text: shortenResponseText(redactQuery(text, url)), retryAfterMs: retryAfter };
  return status >= 400 && isRefusal(status)
    ? new LinkRefusedError(toLinkTarget(url), refusal)
    : createStatusError(toLinkTarget(url), true, refusal);
}

function redactQuery(text: string, url: URL): string {
  const signatures = new Secrets();
  for (const value of url.searchParams.values()) if (value.length >= 8) signatures.add(value);
  return signatures.redact(text.replaceAll(/[?&][^\s"'<>]*=[^\s"'<>]*/g, "?[hidden]"));
}

/** Translates an error of a download's connection. Does not translate an abort. */
export function translateLinkError(error: unknown, url: URL, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (!(error instanceof Error) || !("code" in error)) return error;
  return new ConnectionFailedError(toLinkTarget(url), url.host, error);
}

/** This machine, its link-local network, and cloud metadata services, which return secrets. */
const local = new BlockList();
local.addSubnet("0.0.0.0", 8);
local.addSubnet("127.0.0.0", 8);
local.addSubnet("169.254.0.0", 16);
local.addAddress("::", "ipv6");
local.addAddress("::1", "ipv6");
local.addSubnet("fe80::", 10, "ipv6");
// AWS and Google Cloud over IPv6; Azure, Alibaba Cloud and Oracle Cloud.
local.addAddress("fd00:ec2::254", "ipv6");
local.addAddress("fd20:ce::254", "ipv6");
local.addAddress("168.63.129.16");
local.addAddress("100.100.100.200");
local.addAddress("192.0.0.192");

/** Returns true for a URL whose host is a local address, or the usual name of this machine. */
export function isLocal({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return /(^|\.)localhost$/.test(host) || (isIP(host) !== 0 && isLocalAddress(host));
}

function isLocalAddress(address: string): boolean {
  return local.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** A host name resolved to a local address when a connection was opened. */
export class LocalAddressError extends Error {
  override readonly name = "LocalAddressError";
  readonly code = "LOCAL_ADDRESS";
}

/** Returns a DNS lookup that rejects local addresses. Connections use only the addresses that it checked. */
export function guardLookup(lookup: LookupFunction = systemLookup): LookupFunction {
  return (hostname, options, done) =>
    lookup(hostname, options, (error, found, family) => {
      const addresses = typeof found === "string" ? [found] : (found ?? []).map(({ address }) => address);
      if (error || !addresses.some(isLocalAddress)) done(error, found, family);
      else done(new LocalAddressError(`${hostname} resolves to a local address`), "", 0);
    });
}

import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { MiddlewareHandler } from "hono";
import { createPagePolicy } from "../../report/html/frame/render-page.ts";
import { Refusal } from "../refusal.ts";

/** Checks the `Host` header, because another site could point its own domain name at this server. */
export type HostCheck = (host: string | undefined) => void;

/** Names that never leave this machine. */
const loopbackNames = ["127.0.0.1", "localhost", "[::1]"];

export function isLoopback(host: string): boolean {
  return loopbackNames.includes(host) || host === "::1";
}

interface HostCheckOptions {
  host: string;
  port: () => number;
  /** PEM, if other machines can reach the server; the names in it are also accepted. */
  certificate?: string | undefined;
  /** Address of a proxy in front of the server, whose name is also accepted, with any port. */
  publicUrl?: URL | undefined;
}

export function createHostCheck({ host, port, certificate, publicUrl }: HostCheckOptions): HostCheck {
  const accepted = new Set([...loopbackNames, host.includes(":") ? `[${host}]` : host]);
  const issued = certificate === undefined ? undefined : new X509Certificate(certificate);
  const isIssuedFor = (name: string) => {
    const bare = name.replace(/^\[|\]$/g, "");
    return (isIP(bare) ? issued?.checkIP(bare) : issued?.checkHost(bare)) !== undefined;
  };
  return (header = "") => {
    const [, name = "", given] = /^(\[[\da-f:]+\]|[\w.-]+)(?::(\d+))?$/i.exec(header) ?? [];
    const defaultPort = issued ? 443 : 80;
    const isAccepted = accepted.has(name.toLowerCase()) || (name !== "" && isIssuedFor(name));
    if (isAccepted && Number(given ?? defaultPort) === port()) return;
    if (publicUrl !== undefined && name.toLowerCase() === publicUrl.hostname) return;
    throw new Refusal(421, "This server does not serve the host named in the request.");
  };
}

const maxTargetLength = 8_000;
const maxValueLength = 2_000;

/**
 * Rejects targets that none of our pages links to, before anything parses them: paths must be plain words
 * without encoding, and parameters have a maximum length.
 * @param target as the client sent it, e.g. `/plays?by=zone`
 * @throws {Refusal}
 */
export function checkTarget(target: string): void {
  const problem = findProblem(target);
  if (problem !== undefined) throw new Refusal(400, problem);
}

/** Returns true if `checkTarget` accepts the target. Hundreds of ids may be too long for an address. */
export function isAcceptedTarget(target: string): boolean {
  return findProblem(target) === undefined;
}

function findProblem(target: string): string | undefined {
  const end = target.indexOf("?");
  const path = end < 0 ? target : target.slice(0, end);
  if (!/^\/[a-z0-9_-]*(\.[a-z]+)?$/.test(path))
    return "Unknown path: paths are single words, such as /plays. Start at /.";
  if (target.length > maxTargetLength)
    return `This address has ${target.length} characters; ${maxTargetLength} are accepted.`;
  const parameters = new URLSearchParams(end < 0 ? "" : target.slice(end + 1));
  for (const [name, value] of parameters) {
    if (value.length > maxValueLength)
      return `The parameter ${name.slice(0, 40)} has ${value.length} characters; ${maxValueLength} are accepted.`;
  }
  return undefined;
}

/**
 * Response headers. Other sites must not frame or read our pages, or learn their addresses, and shared caches
 * must not store any.
 */
const headers: Readonly<Record<string, string>> = {
  "Content-Security-Policy": `${createPagePolicy("'self'")}; frame-ancestors 'none'`,
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "private, no-cache",
};

export const addSecurityHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
};

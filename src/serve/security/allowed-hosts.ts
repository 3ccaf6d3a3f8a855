import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { MiddlewareHandler } from "hono";
import { pagePolicy } from "../../report/html/frame/render-page.ts";
import { Refusal } from "../refusal.ts";

/** Whether a request was meant for this server, by its `Host` header: a page elsewhere may point a name of its own here. */
export type HostCheck = (host: string | undefined) => void;

/** Only names that never leave this machine. */
const loopbackNames = ["127.0.0.1", "localhost", "[::1]"];

export function isLoopback(host: string): boolean {
  return loopbackNames.includes(host) || host === "::1";
}

/**
 * @param certificate PEM, where the server is reached from elsewhere: the names that it is for are accepted, too
 */
export function checkHosts(host: string, port: () => number, certificate?: string | Buffer): HostCheck {
  const accepted = new Set([...loopbackNames, host.includes(":") ? `[${host}]` : host]);
  const issued = certificate === undefined ? undefined : new X509Certificate(certificate);
  const isIssuedFor = (name: string) => {
    const bare = name.replace(/^\[|\]$/g, "");
    return (isIP(bare) ? issued?.checkIP(bare) : issued?.checkHost(bare)) !== undefined;
  };
  return (header = "") => {
    const [, name = "", given] = /^(\[[\da-f:]+\]|[\w.-]+)(?::(\d+))?$/i.exec(header) ?? [];
    const usual = issued ? 443 : 80;
    const isOurs = accepted.has(name.toLowerCase()) || (name !== "" && isIssuedFor(name));
    if (isOurs && Number(given ?? usual) === port()) return;
    throw new Refusal(421, "This server does not answer for the host that the request names.");
  };
}

const longestTarget = 8_000;
const longestValue = 2_000;

/**
 * Refuses what no page of ours links to, before anything reads it: paths are plain words, whatever they would mean once
 * decoded, and parameters have an end.
 * @param target as the client sent it, e.g. `/plays?by=zone`
 * @throws {Refusal}
 */
export function checkTarget(target: string): void {
  const fault = findFault(target);
  if (fault !== undefined) throw new Refusal(400, fault);
}

/** Whether that would be answered: what stands for hundreds of things may be too long for an address. */
export function isAnswered(target: string): boolean {
  return findFault(target) === undefined;
}

function findFault(target: string): string | undefined {
  const end = target.indexOf("?");
  const path = end < 0 ? target : target.slice(0, end);
  if (!/^\/[a-z-]*(\.[a-z]+)?$/.test(path))
    return "This path is not one of ours: paths are single words, such as /plays. Start at /.";
  if (target.length > longestTarget)
    return `This address has ${target.length} characters; ${longestTarget} are accepted.`;
  const parameters = new URLSearchParams(end < 0 ? "" : target.slice(end + 1));
  for (const [name, value] of parameters) {
    if (value.length > longestValue)
      return `The parameter ${name.slice(0, 40)} has ${value.length} characters; ${longestValue} are accepted.`;
  }
  return undefined;
}

/** Nobody else's page may show ours, read it or be told about it; no answer is kept by others. */
const headers: Readonly<Record<string, string>> = {
  "Content-Security-Policy": `${pagePolicy("'self'")}; frame-ancestors 'none'`,
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "private, no-cache",
};

export const answerHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
};

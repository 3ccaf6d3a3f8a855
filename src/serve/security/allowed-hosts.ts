import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
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

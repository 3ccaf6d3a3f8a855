/**
 * Parses an HTTP date into epoch milliseconds; returns `undefined` for other text. `Date.parse` alone accepts
 * almost any text, even "-5", and reads dates without a time zone as local. HTTP dates are in GMT, even in the
 * one format without a time zone (`Sun Nov 6 08:49:37 1994`).
 */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !/^[A-Z][a-z]{2,8},? /.test(text)) return undefined;
  const namesZone = /[a-z]$|[+-]\d{4}$/i.test(text);
  const at = Date.parse(namesZone ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : at;
}

/**
 * Resolves an http or https URL; returns `undefined` for anything else.
 * @param base URL against which a relative URL is resolved
 */
export function toHttpUrl(text: string | URL, base?: string): URL | undefined {
  if (!URL.canParse(`${text}`, base)) return undefined;
  const url = new URL(text, base);
  return /^https?:$/.test(url.protocol) ? url : undefined;
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/i;

/** Returns true if connections to the URL's host stay on this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return loopback.test(hostname);
}

/** Returns true if others on a network can read requests: the URL is plain http, and the host is not loopback. */
export function isUnencrypted(url: URL): boolean {
  return url.protocol === "http:" && !isLoopback(url);
}

/**
 * Returns the pause requested by a response, in milliseconds. Returns `undefined` if there is none, or if it is
 * neither a nonnegative number of seconds nor an HTTP date.
 *
 * @param serverDate the `Date` header of the response; dates are relative to it, so the clocks need not agree
 */
export function parseRetryAfterMs(
  retryAfter: string | string[] | undefined,
  serverDate: string | string[] | undefined,
): number | undefined {
  const text = firstValue(retryAfter)?.trim();
  if (text === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const at = parseHttpDate(text);
  if (at === undefined) return undefined;
  return Math.max(at - (parseHttpDate(firstValue(serverDate)) ?? Date.now()), 0);
}

function firstValue(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** Returns true for a URL of any scheme. As a path, it would denote a folder such as `s3:`. */
export function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim());
}

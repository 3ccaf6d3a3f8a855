/**
 * Parses an HTTP date into epoch milliseconds; returns `undefined` for other text. `Date.parse` accepts
 * nearly anything as a date, even "-5", and reads dates without a time zone as local. HTTP dates are in GMT,
 * even in the one format that omits the zone (`Sun Nov 6 08:49:37 1994`).
 */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !/^[A-Z][a-z]{2,8},? /.test(text)) return undefined;
  const namesZone = /[a-z]$|[+-]\d{4}$/i.test(text);
  const at = Date.parse(namesZone ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : at;
}

/**
 * Resolves an http or https URL; returns `undefined` for anything else.
 * @param base URL that a relative one is resolved against
 */
export function toHttpUrl(text: string | URL, base?: string): URL | undefined {
  if (!URL.canParse(`${text}`, base)) return undefined;
  const url = new URL(text, base);
  return /^https?:$/.test(url.protocol) ? url : undefined;
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Returns true if requests can be read on a network: the URL is plain http, and the host is not loopback. */
export function isUnencrypted({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && !loopback.test(hostname);
}

/** Returns true for a URL of any scheme. Used as a path, it would name a folder such as `s3:`. */
export function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim());
}

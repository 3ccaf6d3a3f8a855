/**
 * Parses an HTTP date to epoch milliseconds; `undefined` if it is not one. `Date.parse` accepts nearly
 * anything as a date, even "-5", and reads dates without a time zone as local. HTTP dates are in GMT, even in
 * the one form that does not include it (`Sun Nov 6 08:49:37 1994`).
 */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !/^[A-Z][a-z]{2,8},? /.test(text)) return undefined;
  const namesZone = /[a-z]$|[+-]\d{4}$/i.test(text);
  const at = Date.parse(namesZone ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : at;
}

/**
 * Resolves an http or https URL; `undefined` for anything else.
 * @param base base of a relative URL
 */
export function toHttpUrl(text: string | URL, base?: string): URL | undefined {
  if (!URL.canParse(`${text}`, base)) return undefined;
  const url = new URL(text, base);
  return /^https?:$/.test(url.protocol) ? url : undefined;
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Returns true if requests can be read on a network: plain http to any host but the loopback. */
export function isUnencrypted({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && !loopback.test(hostname);
}

/** Returns true for a URL of any scheme, which as a path would name a folder such as `s3:`. */
export function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim());
}

/**
 * The instant that an HTTP date names, in milliseconds; `undefined`: it is none. `Date.parse` takes nearly everything for a
 * date, "-5" included, and one that names no time zone for local time. Dates of HTTP are in GMT, also in the one form that
 * does not say so (`Sun Nov  6 08:49:37 1994`).
 */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !/^[A-Z][a-z]{2,8},? /.test(text)) return undefined;
  const namesZone = /[a-z]$|[+-]\d{4}$/i.test(text);
  const at = Date.parse(namesZone ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : at;
}

/**
 * What a text, or a URL, leads to by http or https; `undefined` where it is no such URL.
 * @param base what it may be relative to
 */
export function toHttpUrl(text: string | URL, base?: string): URL | undefined {
  if (!URL.canParse(`${text}`, base)) return undefined;
  const url = new URL(text, base);
  return /^https?:$/.test(url.protocol) ? url : undefined;
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether requests to a URL can be read on a network: plain http to any host but this machine's loopback. */
export function isUnencrypted({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && !loopback.test(hostname);
}

/** Whether a text is a URL of any scheme. As a path, it would name a folder such as `s3:` in the working folder. */
export function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim());
}

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

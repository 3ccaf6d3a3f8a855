/**
 * What a text, or a URL, leads to by http or https; `undefined` where it is no such URL.
 * @param base what it may be relative to
 */
export function toHttpUrl(text: string | URL, base?: string): URL | undefined {
  if (!URL.canParse(`${text}`, base)) return undefined;
  const url = new URL(text, base);
  return /^https?:$/.test(url.protocol) ? url : undefined;
}

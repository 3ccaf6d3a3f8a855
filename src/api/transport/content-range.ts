/** What a `Content-Range` says; both in bytes. */
export interface ContentRange {
  /** First byte of the part; absent where there is none (status 416). */
  start: number | undefined;
  /** Of the whole file; absent where the server does not know. */
  total: number | undefined;
}

export function contentRangeOf(header: string | string[] | undefined): ContentRange | undefined {
  if (typeof header !== "string") return undefined;
  const [, start, total] = /^bytes\s+(?:(\d+)-\d+|\*)\/(\d+|\*)$/i.exec(header.trim()) ?? [];
  if (total === undefined) return undefined;
  return {
    start: start === undefined ? undefined : Number(start),
    total: total === "*" ? undefined : Number(total),
  };
}

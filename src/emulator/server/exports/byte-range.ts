/** Bytes of a file, the end exclusive. */
export interface ByteRange {
  fromByte: number;
  toByte: number;
}

/**
 * What a `Range` header asks of a file (RFC 9110, section 14): undefined stands for the whole, which is also the
 * answer to several ranges and to headers that can't be read.
 */
export function parseByteRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | "unsatisfiable" | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined;
  const fromByte = first === "" ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const toByte = first === "" || last === "" ? sizeBytes : Math.min(sizeBytes, Number(last) + 1);
  if (first !== "" && last !== "" && Number(last) < fromByte) return undefined;
  return fromByte < toByte ? { fromByte, toByte } : "unsatisfiable";
}

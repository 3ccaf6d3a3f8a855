import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** What we ask for, where compression is of use. */
export const acceptedEncodings = "gzip";

export function isEncoded(contentEncoding: string | string[] | undefined): boolean {
  return encodings(contentEncoding).length > 0;
}

/**
 * A body without its content encoding. Undici's own step for this warns on stderr that it is experimental.
 * @returns `undefined` when it is an encoding that we don't know
 */
export function decompress(
  body: Readable,
  contentEncoding: string | string[] | undefined,
): Readable | undefined {
  const stages: Transform[] = [];
  for (const encoding of encodings(contentEncoding).reverse()) {
    const create = decoders[encoding];
    if (!create) return undefined;
    stages.push(create());
  }
  // The last stage carries every error of those before it.
  return stages.length === 0 ? body : (pipeline([body, ...stages], () => {}) as unknown as Readable);
}

function encodings(contentEncoding: string | string[] | undefined): string[] {
  return [contentEncoding ?? []]
    .flat()
    .join(",")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
}

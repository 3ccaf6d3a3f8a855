import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";

/** Comment after the signed text, e.g. `<!-- venue-proof-signature 0123456789abcdef 00ff… -->`. */
const mark = /^\n<!-- venue-proof-signature ([0-9a-f]{16}) ([0-9a-f]{128}) -->\n$/;
const start = "\n<!-- venue-proof-signature ";
const end = " -->\n";
const keyIdLength = 16;
const signatureLength = 128;
const markLength = start.length + keyIdLength + 1 + signatureLength + end.length;

/** Returns the public part of a key pair as SPKI. */
export function exportPublicKey(key: KeyObject, format: "pem" | "der"): string | Buffer {
  const publicKey = key.type === "private" ? createPublicKey(key) : key;
  return publicKey.export({ type: "spki", format: format as "pem" });
}

/** Returns the id of a key pair: the first 16 hexadecimal digits of the SHA-256 of its public key (SPKI, DER). */
export function identifyKey(key: KeyObject): string {
  return createHash("sha256").update(exportPublicKey(key, "der")).digest("hex").slice(0, keyIdLength);
}

/** Streams a text, followed by the Ed25519 signature of the SHA-256 of all other bytes. */
export async function* signPieces(
  pieces: AsyncIterable<string> | Iterable<string>,
  key: KeyObject,
): AsyncIterable<string> {
  const hash = createHash("sha256");
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
  const before = `${start}${identifyKey(key)} `;
  yield `${before}${sign(null, hash.update(`${before}${end}`).digest(), key).toString("hex")}${end}`;
}

/** The signature at the end of a signed text. */
export interface Signature {
  keyId: string;
  /** The text that was signed, without the comment that contains the signature. */
  body: Buffer;
  isBy(key: KeyObject): boolean;
}

/** Returns `undefined` if the bytes don't end with a signature. */
export function findSignature(bytes: Buffer): Signature | undefined {
  const body = bytes.subarray(0, Math.max(0, bytes.length - markLength));
  const [, keyId, signature] = mark.exec(bytes.toString("latin1", body.length)) ?? [];
  if (keyId === undefined || signature === undefined) return undefined;
  const digest = createHash("sha256").update(body).update(`${start}${keyId} ${end}`).digest();
  return { keyId, body, isBy: (key) => verify(null, digest, key, Buffer.from(signature, "hex")) };
}

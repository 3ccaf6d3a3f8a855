import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { type CompletedPart, PutObjectCommand, UploadPartCommand } from "@aws-sdk/client-s3";
import { FileChangedError } from "../errors.ts";
import { createInParts, type Send, type Target } from "./create-in-parts.ts";

/** Size of uploaded parts; smaller files are not split. A part stays in memory while being sent, for retries. */
const partBytes = 16 * 1024 ** 2;
/** Maximum number of parts of one file uploaded at once. */
const partsAtOnce = 3;
/** S3's limit is 10,000. */
const maxParts = 9_000;

interface Source {
  file: string;
  /** In hexadecimal. */
  sha256: string;
}

/**
 * Uploads a file. Its SHA-256 is verified before the object becomes visible.
 * @throws {FileChangedError} if the file has another SHA-256; no object is then created
 */
export async function uploadFile(target: Target, { file, sha256 }: Source, send: Send): Promise<void> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    if (size <= partBytes) return await uploadAtOnce(target, { file, sha256 }, await handle.readFile(), send);
    // More stores accept a CRC-32 for parts than a SHA-256.
    const content = { sha256, ChecksumAlgorithm: "CRC32" as const };
    await createInParts(
      target,
      content,
      async (upload) => {
        const { parts, hash } = await sendParts(handle, size, async (PartNumber, Body) => {
          const ChecksumCRC32 = toChecksum(Body);
          const part = { ...upload, PartNumber, Body, ChecksumCRC32 };
          const { ETag } = await send((options) => target.client.send(new UploadPartCommand(part), options));
          return { PartNumber, ETag, ChecksumCRC32 };
        });
        if (hash !== sha256) throw new FileChangedError(file);
        return parts;
      },
      send,
    );
  } finally {
    await handle.close();
  }
}

async function uploadAtOnce(
  { client, Bucket, Key }: Target,
  { file, sha256 }: Source,
  body: Buffer,
  send: Send,
): Promise<void> {
  const hash = createHash("sha256").update(body).digest();
  if (hash.toString("hex") !== sha256) throw new FileChangedError(file);
  const ChecksumSHA256 = hash.toString("base64");
  await send((options) =>
    client.send(new PutObjectCommand({ Bucket, Key, Body: body, ChecksumSHA256 }), options),
  );
}

/** Sends a file in parts, and returns its SHA-256. */
async function sendParts(
  handle: FileHandle,
  size: number,
  sendPart: (number: number, body: Buffer) => Promise<CompletedPart>,
): Promise<{ parts: CompletedPart[]; hash: string }> {
  const bytes = Math.max(partBytes, Math.ceil(size / maxParts));
  const whole = createHash("sha256");
  const parts: CompletedPart[] = [];
  const running = new Set<Promise<void>>();
  try {
    for (let start = 0; start < size; start += bytes) {
      const length = Math.min(bytes, size - start);
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, start);
      const body = buffer.subarray(0, bytesRead);
      whole.update(body);
      const number = start / bytes + 1;
      const sent = sendPart(number, body).then((part) => {
        parts[number - 1] = part;
        running.delete(sent);
      });
      // The error is thrown later, when the part is awaited.
      sent.catch(() => undefined);
      running.add(sent);
      if (running.size === partsAtOnce) await Promise.race(running);
    }
    await Promise.all(running);
  } finally {
    await Promise.allSettled(running);
  }
  return { parts, hash: whole.digest("hex") };
}

/** Returns the CRC-32 of a part in S3's format. */
function toChecksum(body: Buffer): string {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return checksum.toString("base64");
}

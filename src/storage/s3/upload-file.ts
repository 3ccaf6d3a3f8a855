import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { FileChangedError } from "../errors.ts";

/** Larger files are uploaded in parts. Each part stays in memory while it is sent, so that it can be retried. */
const partBytes = 16 * 1024 ** 2;
/** Maximum parts of one file in transfer at a time. */
const partsAtOnce = 3;
/** S3's limit is 10,000. */
const maxParts = 9_000;

interface Target {
  client: S3Client;
  Bucket: string;
  Key: string;
}

interface Upload extends Target {
  file: string;
  /** In hexadecimal. */
  sha256: string;
}

/** Content to upload in parts. */
export interface Content {
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
  read(start: number, bytes: number): Promise<Buffer>;
}

type SendOptions = { abortSignal?: AbortSignal };
type Send = <Result>(send: (options: SendOptions) => Promise<Result>) => Promise<Result>;

/**
 * Uploads a file. Its SHA-256 is verified before the object becomes visible.
 * @param send sends a request and translates its errors
 */
export async function uploadFile(upload: Upload, send: Send): Promise<void> {
  const handle = await open(upload.file);
  try {
    const { size } = await handle.stat();
    if (size <= partBytes) return await uploadAtOnce(upload, await handle.readFile(), send);
    const read = async (start: number, bytes: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(bytes), 0, bytes, start);
      return buffer.subarray(0, bytesRead);
    };
    if (!(await uploadInParts(upload, { bytes: size, sha256: upload.sha256, read }, send)))
      throw new FileChangedError(upload.file);
  } finally {
    await handle.close();
  }
}

async function uploadAtOnce(
  { client, Bucket, Key, file, sha256 }: Upload,
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

/** Name of the metadata with the SHA-256 of an object uploaded in parts, for which stores have no checksum of the whole. */
const hashName = "sha256";

/**
 * Uploads content in parts. The store verifies the CRC-32 of each, which more stores accept for parts than SHA-256.
 * @returns false, and creates no object, if the content has another SHA-256
 */
export async function uploadInParts(target: Target, content: Content, send: Send): Promise<boolean> {
  const { client, Bucket, Key } = target;
  const Metadata = { [hashName]: content.sha256 };
  const { UploadId } = await send((options) =>
    client.send(
      new CreateMultipartUploadCommand({ Bucket, Key, Metadata, ChecksumAlgorithm: "CRC32" }),
      options,
    ),
  );
  const abort = async () => {
    // If this fails, a later sweep aborts the upload.
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => undefined);
  };
  try {
    const { parts, hash } = await sendParts({ ...target, UploadId }, content, send);
    if (hash === content.sha256) await complete({ ...target, UploadId }, parts, content, send);
    else await abort();
    return hash === content.sha256;
  } catch (error) {
    await abort();
    throw error;
  }
}

type StartedUpload = Target & { UploadId: string | undefined };

async function sendParts(
  { client, Bucket, Key, UploadId }: StartedUpload,
  content: Content,
  send: Send,
): Promise<{ parts: CompletedPart[]; hash: string }> {
  const bytes = Math.max(partBytes, Math.ceil(content.bytes / maxParts));
  const whole = createHash("sha256");
  const parts: CompletedPart[] = [];
  const running = new Set<Promise<void>>();
  try {
    for (let start = 0; start < content.bytes; start += bytes) {
      const body = await content.read(start, Math.min(bytes, content.bytes - start));
      whole.update(body);
      const ChecksumCRC32 = toChecksum(body);
      const PartNumber = start / bytes + 1;
      const part = { Bucket, Key, UploadId, PartNumber, Body: body, ChecksumCRC32 };
      const sent = send((options) => client.send(new UploadPartCommand(part), options)).then(({ ETag }) => {
        parts[PartNumber - 1] = { PartNumber, ETag, ChecksumCRC32 };
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

/** Returns the CRC-32 of a part as S3 writes it. */
function toChecksum(body: Buffer): string {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return checksum.toString("base64");
}

async function complete(
  { client, Bucket, Key, UploadId }: StartedUpload,
  Parts: CompletedPart[],
  { sha256 }: Content,
  send: Send,
): Promise<void> {
  try {
    await send((options) =>
      client.send(
        new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
        options,
      ),
    );
  } catch (error) {
    // If the response was lost, the retried request finds that the upload no longer exists.
    const { Metadata } = await send((options) =>
      client.send(new HeadObjectCommand({ Bucket, Key }), options),
    ).catch(() => ({ Metadata: undefined }));
    if (Metadata?.[hashName] !== sha256) throw error;
  }
}

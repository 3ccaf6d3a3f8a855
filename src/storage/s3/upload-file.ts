import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
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

interface Upload {
  client: S3Client;
  Bucket: string;
  Key: string;
  file: string;
  /** In hexadecimal. */
  sha256: string;
}

type SendOptions = { abortSignal?: AbortSignal };
type Send = <Result>(send: (options: SendOptions) => Promise<Result>) => Promise<Result>;

/**
 * Uploads a file. The store verifies the SHA-256 of each part. This function verifies that of the whole file before
 * the object becomes visible.
 * @param send sends a request and translates its errors
 */
export async function uploadFile(upload: Upload, send: Send): Promise<void> {
  const handle = await open(upload.file);
  try {
    const { size } = await handle.stat();
    if (size <= partBytes) await uploadAtOnce(upload, await handle.readFile(), send);
    else await uploadInParts(upload, handle, size, send);
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

async function uploadInParts(upload: Upload, handle: FileHandle, size: number, send: Send): Promise<void> {
  const { client, Bucket, Key, file, sha256 } = upload;
  const { UploadId } = await send((options) =>
    client.send(new CreateMultipartUploadCommand({ Bucket, Key, ChecksumAlgorithm: "SHA256" }), options),
  );
  try {
    const { parts, hash } = await sendParts({ ...upload, UploadId }, handle, size, send);
    if (hash !== sha256) throw new FileChangedError(file);
    await complete({ ...upload, UploadId }, parts, send);
  } catch (error) {
    // If this fails, a later sweep aborts the upload.
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => undefined);
    throw error;
  }
}

type StartedUpload = Upload & { UploadId: string | undefined };

async function sendParts(
  { client, Bucket, Key, UploadId }: StartedUpload,
  handle: FileHandle,
  size: number,
  send: Send,
): Promise<{ parts: CompletedPart[]; hash: string }> {
  const bytes = Math.max(partBytes, Math.ceil(size / maxParts));
  const whole = createHash("sha256");
  const parts: CompletedPart[] = [];
  const running = new Set<Promise<void>>();
  try {
    for (let start = 0; start < size; start += bytes) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(bytes), 0, bytes, start);
      const body = buffer.subarray(0, bytesRead);
      whole.update(body);
      const ChecksumSHA256 = createHash("sha256").update(body).digest("base64");
      const PartNumber = start / bytes + 1;
      const part = { Bucket, Key, UploadId, PartNumber, Body: body, ChecksumSHA256 };
      const sent = send((options) => client.send(new UploadPartCommand(part), options)).then(({ ETag }) => {
        parts[PartNumber - 1] = { PartNumber, ETag, ChecksumSHA256 };
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

async function complete(
  { client, Bucket, Key, UploadId }: StartedUpload,
  Parts: CompletedPart[],
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
    const { ChecksumSHA256 } = await send((options) =>
      client.send(new HeadObjectCommand({ Bucket, Key, ChecksumMode: "ENABLED" }), options),
    ).catch(() => ({ ChecksumSHA256: undefined }));
    if (ChecksumSHA256 !== checksumOfParts(Parts)) throw error;
  }
}

/** Computes the checksum that S3 reports for an object uploaded in parts. */
function checksumOfParts(parts: readonly CompletedPart[]): string {
  const hash = createHash("sha256");
  for (const { ChecksumSHA256 = "" } of parts) hash.update(Buffer.from(ChecksumSHA256, "base64"));
  return `${hash.digest("base64")}-${parts.length}`;
}

import { type CompletedPart, CopyObjectCommand, UploadPartCopyCommand } from "@aws-sdk/client-s3";
import type { ObjectContent } from "../storage.ts";
import { createInParts, type Send, type Target } from "./create-in-parts.ts";

/** Size of copied parts. S3 copies up to 5 GB per request, but smaller parts prevent client timeouts. */
const largestCopyBytes = 1024 ** 3;

/**
 * Copies an object within a bucket, on the server.
 * @param sourceKey key of the object with this content
 * @param partBytes objects larger than this are copied in parts of this size
 */
export async function copyObject(
  target: Target,
  sourceKey: string,
  { bytes, sha256 }: ObjectContent,
  send: Send,
  partBytes = largestCopyBytes,
): Promise<void> {
  const { client, Bucket, Key } = target;
  const CopySource = [Bucket, ...sourceKey.split("/")].map(encodeURIComponent).join("/");
  if (bytes <= partBytes) {
    await send((options) => client.send(new CopyObjectCommand({ Bucket, Key, CopySource }), options));
    return;
  }
  await createInParts(
    target,
    { sha256 },
    async (upload) => {
      const parts: CompletedPart[] = [];
      for (let start = 0; start < bytes; start += partBytes) {
        const PartNumber = start / partBytes + 1;
        const CopySourceRange = `bytes=${start}-${Math.min(start + partBytes, bytes) - 1}`;
        const part = { ...upload, PartNumber, CopySource, CopySourceRange };
        const { CopyPartResult } = await send((options) =>
          client.send(new UploadPartCopyCommand(part), options),
        );
        parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
      }
      return parts;
    },
    send,
  );
}

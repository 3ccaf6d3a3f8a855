import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";

/** S3 copies at most 5 GB per request. Smaller parts answer before the client stops waiting. */
const largestCopyBytes = 1024 ** 3;

interface Target {
  client: S3Client;
  Bucket: string;
  Key: string;
}

/**
 * Lets the store copy an object within a bucket.
 * @param source its size decides whether it is copied in parts
 */
export async function copyObject(
  { client, Bucket, Key }: Target,
  source: { key: string; bytes: number },
  options: { abortSignal?: AbortSignal },
  partBytes = largestCopyBytes,
): Promise<void> {
  const CopySource = [Bucket, ...source.key.split("/")].map(encodeURIComponent).join("/");
  if (source.bytes <= partBytes) {
    await client.send(new CopyObjectCommand({ Bucket, Key, CopySource }), options);
    return;
  }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }), options);
  try {
    const Parts: CompletedPart[] = [];
    for (let start = 0; start < source.bytes; start += partBytes) {
      const PartNumber = Parts.length + 1;
      const CopySourceRange = `bytes=${start}-${Math.min(start + partBytes, source.bytes) - 1}`;
      const { CopyPartResult } = await client.send(
        new UploadPartCopyCommand({ Bucket, Key, UploadId, PartNumber, CopySource, CopySourceRange }),
        options,
      );
      Parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
    }
    await client.send(
      new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
      options,
    );
  } catch (error) {
    // If this fails, a later sweep aborts the upload.
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => undefined);
    throw error;
  }
}

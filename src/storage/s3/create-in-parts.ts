import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  HeadObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";

export interface Target {
  client: S3Client;
  Bucket: string;
  Key: string;
}

/** Sends a request and translates its errors. */
export type Send = <Result>(
  send: (options: { abortSignal?: AbortSignal }) => Promise<Result>,
) => Promise<Result>;

/** Metadata key for the SHA-256 of an object created in parts, because stores compute checksums only per part. */
const hashName = "sha256";

/**
 * Creates an object from parts. If a part fails, no object is created.
 * @param sha256 of the object, in hexadecimal
 */
export async function createInParts(
  { client, Bucket, Key }: Target,
  { sha256, ...checksum }: { sha256: string } & Pick<CreateMultipartUploadCommandInput, "ChecksumAlgorithm">,
  sendParts: (upload: {
    Bucket: string;
    Key: string;
    UploadId: string | undefined;
  }) => Promise<CompletedPart[]>,
  send: Send,
): Promise<void> {
  const object = { Bucket, Key, Metadata: { [hashName]: sha256 }, ...checksum };
  // Ignores the signal, because the upload's id is needed for aborting the upload.
  const { UploadId } = await send(() => client.send(new CreateMultipartUploadCommand(object)));
  const upload = { Bucket, Key, UploadId };
  try {
    const MultipartUpload = { Parts: await sendParts(upload) };
    await send((options) =>
      client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload }), options),
    ).catch(async (error: unknown) => {
      // If the response was lost, the retried request finds that the upload no longer exists.
      const { Metadata } = await send((options) =>
        client.send(new HeadObjectCommand({ Bucket, Key }), options),
      ).catch(() => ({ Metadata: undefined }));
      if (Metadata?.[hashName] !== sha256) throw error;
    });
  } catch (error) {
    // If this fails, a later cleanup aborts the upload.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw error;
  }
}

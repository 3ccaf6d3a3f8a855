import { S3Client } from "@aws-sdk/client-s3";

/** Maximum attempts per request, with growing pauses, after network and store errors. */
const maxAttempts = 5;

/**
 * Creates a client that finds its credentials, region and endpoint in the standard places. With a custom endpoint,
 * the bucket is part of the path, because few such stores have a host name per bucket, and the region is optional.
 */
export function createClient(): S3Client {
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_REGION } = process.env;
  const endpoint = AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL;
  // The client's version is pinned, so its warnings about later versions concern us, not users.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";
  return new S3Client({
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(endpoint && !AWS_REGION && { region: "us-east-1" }),
    followRegionRedirects: true,
    maxAttempts,
    // Requests carry their own SHA-256. Some stores refuse the checksums that the client would add.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: 10_000,
      socketTimeout: 60_000,
      requestTimeout: 300_000,
      throwOnRequestTimeout: true,
    },
  });
}

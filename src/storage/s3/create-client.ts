import { S3Client } from "@aws-sdk/client-s3";

/** Attempts of one request, with growing pauses, after errors of the network and of the store. */
const maxAttempts = 5;

/**
 * Creates a client that finds its credentials, region and endpoint in the standard places. With an endpoint of
 * its own, the bucket is in the path, because few of these stores have a host name for each bucket, and the
 * region need not be set.
 */
export function createClient(): S3Client {
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_REGION } = process.env;
  const endpoint = AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL;
  // The client's version is pinned. What later versions require concerns us, not users.
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

import { S3Client } from "@aws-sdk/client-s3";

/** Maximum attempts per request, with growing pauses, after network and store errors. */
const maxAttempts = 5;
const defaultRegion = "us-east-1";

/**
 * Creates a client that finds its credentials, region and endpoint in the standard places. With a custom endpoint,
 * the bucket is part of the path, because few such stores have a host name per bucket, and the region is optional.
 */
export function createClient(): S3Client {
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_PROFILE } = process.env;
  const keysAreInProfile = Boolean(AWS_PROFILE) || !AWS_ACCESS_KEY_ID;
  const endpoint = AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL;
  // The client's version is pinned, so its warnings about later versions concern us, not users.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";
  return new S3Client({
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(endpoint && !AWS_REGION && { region: keysAreInProfile ? findProfileRegion : defaultRegion }),
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

async function findProfileRegion(): Promise<string> {
  return await new S3Client().config.region().catch(() => defaultRegion);
}

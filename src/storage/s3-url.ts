import { VenueError } from "../util/venue-error.ts";

export interface S3Url {
  bucket: string;
  /** Has no leading or trailing slash; empty for the whole bucket. */
  prefix: string;
}

/** Returns true for text that looks like an S3 URL, valid or not. */
export function isS3Url(text: string): boolean {
  return /^s3:\/\//i.test(text.trim());
}

/**
 * Parses `s3://bucket/prefix`. The prefix may contain only characters that need no escaping in URLs, SQL and glob
 * patterns, because readers use these addresses in all three.
 * @throws {VenueError} `S3_URL_INVALID`
 */
export function parseS3Url(text: string): S3Url {
  const url = text.trim();
  // Refuses a URL that seems to contain access keys, without quoting it in the error.
  if (/[@?]/.test(url)) {
    throw s3UrlError(
      "This S3 URL has a user or a query. Keys belong in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or in a profile (AWS_PROFILE), and the endpoint in AWS_ENDPOINT_URL_S3",
    );
  }
  const [bucket = "", ...parts] = url.slice("s3://".length).replace(/\/+$/, "").split("/");
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) || bucket.includes("..")) {
    throw s3UrlError(
      `${JSON.stringify(url)} has the bucket ${JSON.stringify(bucket)}. Bucket names consist of 3 to 63 lower-case letters, digits, - and .`,
    );
  }
  const wrong = parts.find((part) => !/^[A-Za-z0-9._=-]+$/.test(part) || /^\.+$/.test(part));
  if (wrong !== undefined) {
    throw s3UrlError(
      `${JSON.stringify(url)} has ${JSON.stringify(wrong)} in its prefix. The parts of a prefix may contain letters, digits, -, _, . and =`,
    );
  }
  return { bucket, prefix: parts.join("/") };
}

function s3UrlError(problem: string): VenueError {
  return new VenueError("S3_URL_INVALID", "usage", `${problem}. It takes s3://bucket/prefix.`);
}

import { classifyFault } from "../../util/connection-fault.ts";
import { VenueError } from "../../util/venue-error.ts";
import { StorageConflictError, StorageUnavailableError, storageUnusableError } from "../errors.ts";

export type RequestAction = "read" | "write" | "list" | "delete";

interface FailedRequest {
  action: RequestAction;
  /** `s3://` URL of the object or prefix. */
  address: string;
  bucket: string;
}

/** Permission needed for each action. */
const permissions: Readonly<Record<RequestAction, string>> = {
  read: "s3:GetObject (and s3:ListBucket, without which a missing object looks like a forbidden one)",
  write: "s3:PutObject and s3:AbortMultipartUpload",
  list: "s3:ListBucket and s3:ListBucketMultipartUploads",
  delete: "s3:DeleteObject and s3:AbortMultipartUpload",
};

const wrongKeys =
  "the store does not know the access key, or the secret is wrong. Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE.";
const expired =
  "the credentials have expired. Get new ones, for example with `aws sso login`, and run this again.";
const missing =
  "no credentials were found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or give this machine a role.";
const wrongRegion =
  "the region is not set, or the bucket is in another one. Set AWS_REGION to the bucket's region.";

/** Reasons and next steps for S3's error codes and the client's errors. */
const reasons: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: wrongKeys,
  SignatureDoesNotMatch: wrongKeys,
  InvalidToken: wrongKeys,
  // versitygw returns this code for an unknown access key.
  XAdminUserNotFound: wrongKeys,
  ExpiredToken: expired,
  ExpiredTokenException: expired,
  TokenProviderError: expired,
  CredentialsProviderError: missing,
  PermanentRedirect: wrongRegion,
  AuthorizationHeaderMalformed: wrongRegion,
  RequestTimeTooSkewed: "this machine's clock is wrong. Synchronize it, and run this again.",
  NotImplemented: "the store lacks this function. Use another store, or a newer version of it.",
  EntityTooLarge: "the object is too large for this store.",
};

/** The object or upload does not exist. */
export class ObjectMissingError extends VenueError {
  constructor(what: string, code: string) {
    super(
      "STORAGE_OBJECT_MISSING",
      "usage",
      `Can't ${what}: it was removed in the meantime (${code}). Run this again.`,
    );
  }
}

const missingCodes = ["NoSuchKey", "NoSuchUpload", "NotFound"];

/** Safe fields of an S3 client error. Its other fields can contain the access key and the signed text. */
interface S3Failure {
  name?: string;
  message?: string;
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

/**
 * Converts an error of the S3 client into one that users can act on. The original is not kept as its cause, because
 * it can contain the access key and the signed text.
 */
export function toStorageError(error: unknown, { action, address, bucket }: FailedRequest): Error {
  const { name = "", message = "", code = "", $metadata } = error as S3Failure;
  const what = `${action} ${address}`;
  const status = $metadata?.httpStatusCode;
  const shown = status === undefined ? name : `${name}, status ${status}`;
  if (status === 409 || status === 412) return new StorageConflictError(address);
  if (missingCodes.includes(name)) return new ObjectMissingError(what, shown);
  const reason = reasons[name] ?? findReason(name, message, code, bucket);
  if (reason) return storageUnusableError(what, `${reason} (${shown})`);
  if (status === undefined) return explainConnection(what, error as Error);
  if (status === 403) {
    return storageUnusableError(
      what,
      `the credentials lack a permission. Grant them ${permissions[action]}. (${shown})`,
    );
  }
  if (status === 429 || name === "SlowDown") {
    return new StorageUnavailableError(
      `Can't ${what}: the store reports too many requests, even after several attempts (${shown}). Run this again later.`,
    );
  }
  if (status >= 500 || status < 400) {
    return new StorageUnavailableError(
      `Can't ${what}: the store failed, even after several attempts (${shown}). Run this again later.`,
    );
  }
  return storageUnusableError(
    what,
    `the store refused the request (${shown}). Check the URL and the store's log.`,
  );
}

function findReason(name: string, message: string, code: string, bucket: string): string | undefined {
  if (name === "NoSuchBucket")
    return `the bucket ${bucket} does not exist. Create it, or correct the URL, AWS_REGION or AWS_ENDPOINT_URL_S3.`;
  if (/region is missing/i.test(message)) return wrongRegion;
  if (code === "ERR_INVALID_URL")
    return "AWS_ENDPOINT_URL_S3 is not a URL. It takes, for example, https://s3.example.com.";
  return undefined;
}

function explainConnection(what: string, error: Error): VenueError {
  const { problem, nextStep } = classifyFault(error);
  return new StorageUnavailableError(
    `Can't ${what}: the store ${problem}. ${nextStep.replace("ROOT", "AWS_ENDPOINT_URL_S3")}`,
  );
}

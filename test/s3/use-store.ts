import { randomUUID } from "node:crypto";
import { CreateMultipartUploadCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, inject } from "vitest";
import { createClient } from "../../src/storage/s3/create-client.ts";

type StoreName = "versitygw" | "moto";

/** Runs tests with one of the stores, configured through the environment as users do. */
export function describeStore(name: StoreName, body: (endpoint: string) => void): void {
  const endpoint = inject("stores")[name];
  describe.skipIf(endpoint === undefined)(`with ${name}`, () => {
    beforeAll(() => {
      process.env.AWS_ENDPOINT_URL_S3 = endpoint;
    });
    afterAll(() => {
      delete process.env.AWS_ENDPOINT_URL_S3;
    });
    body(endpoint ?? "");
  });
}

/** Returns a prefix without objects. */
export function newPrefix(): string {
  return `s3://venue/tests/${randomUUID()}`;
}

/** Starts an upload that is never completed. */
export async function abandonUpload(target: string, key: string): Promise<void> {
  const Key = `${target.slice("s3://venue/".length)}/${key}`;
  await createClient().send(new CreateMultipartUploadCommand({ Bucket: "venue", Key }));
}

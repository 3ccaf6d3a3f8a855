import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, inject } from "vitest";

type StoreName = "versitygw" | "moto";

/** Runs tests with one of the stores, as its users would: through the environment. */
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

import { randomUUID } from "node:crypto";
import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { CreateMultipartUploadCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, inject } from "vitest";
import { openStorage } from "../../src/storage/open-storage.ts";
import { createClient } from "../../src/storage/s3/create-client.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { type ChooseFault, startFaultyProxy } from "./faulty-proxy.ts";

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

/** Opens a new prefix twice: through a proxy, and directly. */
export async function openBoth(
  endpoint: string,
  choose: ChooseFault,
): Promise<{ faulty: Storage; storage: Storage }> {
  const target = newPrefix();
  const storage = await openStorage(target);
  const faulty = await throughProxy(endpoint, choose, () => openStorage(target));
  return { faulty, storage };
}

/** Runs a function whose S3 clients go through a faulty proxy. */
export async function throughProxy<Result>(
  endpoint: string,
  choose: ChooseFault,
  body: () => Promise<Result>,
): Promise<Result> {
  process.env.AWS_ENDPOINT_URL_S3 = await startFaultyProxy(endpoint, choose);
  try {
    return await body();
  } finally {
    process.env.AWS_ENDPOINT_URL_S3 = endpoint;
  }
}

/** Starts an upload that is never completed. */
export async function abandonUpload(target: string, key: string): Promise<void> {
  const Key = `${target.slice("s3://venue/".length)}/${key}`;
  await createClient().send(new CreateMultipartUploadCommand({ Bucket: "venue", Key }));
}

/** Backdates an object of versitygw, or all unfinished uploads, which it keeps in a separate folder. */
export function age(target: string, key: string, hours: number): void {
  const at = new Date(Date.now() - hours * 3_600_000);
  const bucket = inject("bucketFolder");
  if (key !== "uploads") utimesSync(join(bucket, target.slice("s3://venue/".length), key), at, at);
  else
    for (const path of readdirSync(join(bucket, ".sgwtmp"), { recursive: true, encoding: "utf8" }))
      utimesSync(join(bucket, ".sgwtmp", path), at, at);
}

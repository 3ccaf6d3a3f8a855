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

/** Backdates all unfinished uploads of versitygw, which keeps them in a separate folder. */
export function ageUploads(hours: number): void {
  const at = new Date(Date.now() - hours * 3_600_000);
  const folder = join(inject("bucketFolder"), ".sgwtmp");
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    utimesSync(join(folder, path), at, at);
}

/** Lets the next publish remove replaced versions that it need not keep. */
export async function expireReplaced(storage: Storage): Promise<void> {
  const pointer = JSON.parse((await storage.find("current.json"))?.content.toString() ?? "");
  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
  for (const one of pointer.replaced) if (one.replaced_at) one.replaced_at = anHourAgo;
  await storage.put("current.json", JSON.stringify(pointer));
}

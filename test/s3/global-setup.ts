import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { ServerProcess } from "../support/server-process.ts";
import { findFreePort } from "../trino/cluster/free-port.ts";
import { type Installed, installGateway, installMoto, installReaders } from "./install-stores.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Endpoints of the stores, each with the bucket `venue`; those that are not available are `undefined`. */
    stores: { versitygw: string | undefined; moto: string | undefined };
    /** Python with polars and DuckDB; `undefined` if they are not available. */
    readers: string | undefined;
    /** The folder behind the bucket of versitygw. */
    bucketFolder: string;
  }
}

const keys = { AWS_ACCESS_KEY_ID: "venue", AWS_SECRET_ACCESS_KEY: "secret-of-the-tests" };
const region = "eu-central-1";

/** Installs and starts the stores, on loopback only. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "venue-analytics-stores-"));
  const servers: ServerProcess[] = [];
  const start = async (installed: Installed, name: string, words: (port: number) => string[]) => {
    if ("problem" in installed) {
      process.stdout.write(`SKIPPED: ${installed.problem}, so ${name} is not tested.\n`);
      return undefined;
    }
    const port = await findFreePort();
    const server = new ServerProcess(name, [installed.program, ...words(port)], {
      cwd: folder,
      logFile: join(folder, `${name}.log`),
    });
    servers.push(server);
    const endpoint = `http://127.0.0.1:${port}`;
    await server.ready(() => isListening(endpoint));
    return endpoint;
  };
  // The gateway shows each folder as a bucket.
  const bucketFolder = join(folder, "buckets", "venue");
  mkdirSync(bucketFolder, { recursive: true });
  project.provide("bucketFolder", bucketFolder);
  const access = ["--access", keys.AWS_ACCESS_KEY_ID, "--secret", keys.AWS_SECRET_ACCESS_KEY];
  const versitygw = await start(installGateway(), "versitygw", (port) => [
    ...["--port", `127.0.0.1:${port}`, "--region", region, "--quiet", "--keep-alive", ...access],
    ...["posix", join(folder, "buckets")],
  ]);
  const moto = await start(installMoto(), "moto", (port) => ["--host", "127.0.0.1", "--port", `${port}`]);
  if (moto) await createBucket(moto);
  project.provide("stores", { versitygw, moto });
  const readers = installReaders();
  if ("problem" in readers) process.stdout.write(`SKIPPED: ${readers.problem}, so readers are not tested.\n`);
  project.provide("readers", "program" in readers ? readers.program : undefined);
  // Tests and their processes inherit these, and no others.
  for (const name of Object.keys(process.env)) if (name.startsWith("AWS_")) delete process.env[name];
  Object.assign(process.env, keys, { AWS_REGION: region, AWS_EC2_METADATA_DISABLED: "true" });
  return async () => {
    await Promise.all(servers.map((server) => server.kill()));
    rmSync(folder, { recursive: true, force: true });
  };
}

async function isListening(endpoint: string): Promise<true | undefined> {
  return await fetch(endpoint).then(
    () => true as const,
    () => undefined,
  );
}

async function createBucket(endpoint: string): Promise<void> {
  const body = `<CreateBucketConfiguration><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`;
  const { ok, status } = await fetch(`${endpoint}/venue`, { method: "PUT", body });
  if (!ok) throw new Error(`The bucket could not be created: status ${status}`);
}

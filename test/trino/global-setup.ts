import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { installGateway } from "../s3/install-stores.ts";
import { type Installation, startCluster } from "./cluster/start-cluster.ts";
import { NotFetchedError } from "./install/fetch-artifact.ts";
import { findJava, oldestJava } from "./install/find-java.ts";
import { installServers } from "./install/install-servers.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** `undefined` if unavailable: all tests are skipped. */
    installation: Installation | undefined;
    /** A cluster of one node that all tests share, over a bucket in a folder. */
    sharedCluster: { url: string; nessieUrl: string; bucket: string } | undefined;
  }
}

/** Installs the tests' dependencies, and starts the shared cluster. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const installation = await install();
  project.provide("installation", installation);
  if (!installation) {
    project.provide("sharedCluster", undefined);
    return undefined;
  }
  print("Starting Nessie and Trino ...");
  const folder = mkdtempSync(join(tmpdir(), "venue-analytics-bucket-"));
  const bucket = join(folder, "bucket");
  const cluster = await startCluster(installation, { bucket: { folder: bucket } });
  project.provide("sharedCluster", { url: cluster.url, nessieUrl: cluster.nessieUrl, bucket });
  return async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

async function install(): Promise<Installation | undefined> {
  const java = findJava(process.env);
  if (!java) return skip(`Java ${oldestJava} or newer was not found (set JAVA_HOME to its folder)`);
  try {
    const servers = await installServers(print);
    const installed = installGateway();
    if ("problem" in installed)
      print(`SKIPPED: ${installed.problem}, so Trino is tested on files in a folder.`);
    return { java, ...servers, gateway: "program" in installed ? installed.program : undefined };
  } catch (error) {
    if (error instanceof NotFetchedError) return skip(error.message);
    throw error;
  }
}

function skip(reason: string): undefined {
  print(`SKIPPED: ${reason}, so Trino is not tested.`);
  return undefined;
}

function print(message: string): void {
  process.stdout.write(`${message}\n`);
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type Installed, installGateway, installMoto, installReaders } from "./install-stores.ts";
import {
  bucketFolderIn,
  type RunningStore,
  setStoreEnvironment,
  startGateway,
  startMoto,
} from "./start-store.ts";

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

/** Installs and starts the stores, on loopback only. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "venue-analytics-stores-"));
  const running: RunningStore[] = [];
  const start = async (
    installed: Installed,
    name: string,
    startIn: (program: string, folder: string) => Promise<RunningStore>,
  ) => {
    if ("problem" in installed) {
      process.stdout.write(`SKIPPED: ${installed.problem}, so ${name} is not tested.\n`);
      return undefined;
    }
    const store = await startIn(installed.program, folder);
    running.push(store);
    return store.endpoint;
  };
  project.provide("bucketFolder", bucketFolderIn(folder));
  const versitygw = await start(installGateway(), "versitygw", startGateway);
  const moto = await start(installMoto(), "moto", startMoto);
  project.provide("stores", { versitygw, moto });
  const readers = installReaders();
  if ("problem" in readers) process.stdout.write(`SKIPPED: ${readers.problem}, so readers are not tested.\n`);
  project.provide("readers", "program" in readers ? readers.program : undefined);
  setStoreEnvironment();
  return async () => {
    await Promise.all(running.map((store) => store.kill()));
    rmSync(folder, { recursive: true, force: true });
  };
}

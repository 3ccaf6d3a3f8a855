import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject, onTestFinished } from "vitest";
import type { DuckDb } from "../../src/engines/duckdb.ts";
import { openWarehouse } from "../../src/workspace/warehouse.ts";
import { createTempFolder } from "./temp-folder.ts";

interface Where {
  /** Where `warehouse.duckdb` is put. @default a temporary one */
  folder?: string;
  /** @default all cores */
  threads?: number;
}

/**
 * A warehouse without a row, of the one test that asks for it: a copy of the one that the run began with, which is
 * quicker than to create its schema again.
 */
export async function openNewWarehouse({
  folder = createTempFolder(),
  threads,
}: Where = {}): Promise<DuckDb> {
  copyFileSync(inject("emptyWarehouse"), join(folder, "warehouse.duckdb"));
  return await openIn(folder, threads);
}

/** A warehouse with the content of a file, which stays as it is. Closed when the test has ended. */
export async function openWarehouseOf(
  content: Buffer,
  { folder = createTempFolder(), threads }: Where = {},
): Promise<DuckDb> {
  writeFileSync(join(folder, "warehouse.duckdb"), content);
  return await openIn(folder, threads);
}

/** What `fill` does is done once for a file of tests; each test that asks gets a warehouse of its own with it. */
export function copiesOf(fill: (warehouse: DuckDb) => Promise<void>): () => Promise<DuckDb> {
  const fillFirst = async () => {
    const folder = createTempFolder();
    const warehouse = await openNewWarehouse({ folder });
    await fill(warehouse);
    warehouse.close();
    return readFileSync(join(folder, "warehouse.duckdb"));
  };
  let filled: Promise<Buffer> | undefined;
  return async () => {
    filled ??= fillFirst();
    return await openWarehouseOf(await filled);
  };
}

async function openIn(folder: string, threads: number | undefined): Promise<DuckDb> {
  const warehouse = await openWarehouse({
    path: join(folder, "warehouse.duckdb"),
    tempDir: join(folder, "tmp"),
    ...(threads === undefined ? {} : { threads }),
  });
  onTestFinished(() => warehouse.close());
  return warehouse;
}

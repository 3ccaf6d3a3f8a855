import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, inject, onTestFinished } from "vitest";
import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { openWarehouse } from "../../src/workspace/warehouse.ts";
import { isSoak } from "./long-suite.ts";
import { createTempFolder, tempPrefix } from "./temp-folder.ts";

interface Where {
  /** Folder of `warehouse.duckdb`. @default a temporary one */
  folder?: string;
  /** @default one: with few rows, threads cost more than they save; all cores in `make soak` */
  threads?: number;
}

const usualThreads = isSoak ? {} : { threads: 1 };

/** An empty warehouse, copied from the run's template, which is faster than creating the schema. */
export async function openNewWarehouse({
  folder = createTempFolder(),
  threads,
}: Where = {}): Promise<DuckDb> {
  copyFileSync(inject("emptyWarehouse"), join(folder, "warehouse.duckdb"));
  return await openForTest(folder, threads);
}

/** A warehouse with the content of a file, which stays unchanged. Closed when the test ends. */
export async function openWarehouseOf(
  content: Buffer,
  { folder = createTempFolder(), threads }: Where = {},
): Promise<DuckDb> {
  writeFileSync(join(folder, "warehouse.duckdb"), content);
  return await openForTest(folder, threads);
}

/** Runs `fill` once per test file; each call returns a separate copy of the warehouse. */
export function prepareCopies(fill: (warehouse: DuckDb) => Promise<void>): () => Promise<DuckDb> {
  const content = contentOf(fill);
  return async () => await openWarehouseOf(await content());
}

/**
 * Runs `fill` once per test file; all tests share the warehouse, and a rollback undoes each test's changes,
 * which is faster than copies. Not for loads and builds, which begin transactions.
 */
export function prepareRolledBack(fill: (warehouse: DuckDb) => Promise<void>): () => Promise<DuckDb> {
  const content = contentOf(fill);
  let shared: { warehouse: DuckDb; folder: string } | undefined;
  afterAll(() => {
    shared?.warehouse.close();
    if (shared) rmSync(shared.folder, { recursive: true, force: true });
  });
  return async () => {
    if (!shared) {
      const folder = mkdtempSync(join(tmpdir(), tempPrefix));
      writeFileSync(join(folder, "warehouse.duckdb"), await content());
      shared = { warehouse: await openIn(folder), folder };
    }
    const { warehouse } = shared;
    await warehouse.run("begin transaction");
    onTestFinished(async () => {
      await warehouse.run("rollback");
    });
    return warehouse;
  };
}

/** The warehouse file after `fill`, which runs once. */
function contentOf(fill: (warehouse: DuckDb) => Promise<void>): () => Promise<Buffer> {
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
    return await filled;
  };
}

async function openForTest(folder: string, threads?: number): Promise<DuckDb> {
  const warehouse = await openIn(folder, threads);
  onTestFinished(() => warehouse.close());
  return warehouse;
}

async function openIn(folder: string, threads?: number): Promise<DuckDb> {
  return await openWarehouse({
    path: join(folder, "warehouse.duckdb"),
    tempDir: join(folder, "tmp"),
    ...(threads === undefined ? usualThreads : { threads }),
  });
}

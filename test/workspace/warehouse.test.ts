import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  findWarehouse,
  openWarehouse,
  WarehouseDamagedError,
  WarehouseInUseError,
} from "../../src/workspace/warehouse.ts";
import { runProcess } from "../support/run-process.ts";
import { createTempFolder } from "../support/temp-folder.ts";

it.each<[string, (path: string) => void]>([
  ["text", (path) => writeFileSync(path, "not a database")],
  ["zeros", (path) => writeFileSync(path, Buffer.alloc(50_000))],
  ["a truncated file", (path) => truncateSync(path, 20_000)],
  [
    "a file with overwritten headers",
    (path) => writeFileSync(path, readFileSync(path).fill(0xa5, 4096, 12_288)),
  ],
])("reports a damaged warehouse: %s", async (_label, damage) => {
  const path = join(createTempFolder(), "warehouse.duckdb");
  (await openWarehouse({ path })).close();
  damage(path);
  const error = await openWarehouse({ path }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(WarehouseDamagedError);
});

describe("while another process has it open", () => {
  const child = new URL("open-warehouse.child.mjs", import.meta.url).pathname;

  it("reports it", async () => {
    const path = join(createTempFolder(), "warehouse.duckdb");
    const warehouse = await openWarehouse({ path });
    expect(await runProcess(child, [path, "200"])).toContain(WarehouseInUseError.name);
    warehouse.close();
  });

  it("waits until a reader is done", async () => {
    const path = join(createTempFolder(), "warehouse.duckdb");
    (await openWarehouse({ path })).close();
    const reader = await findWarehouse({ path });
    setTimeout(() => reader?.close(), 1_500);
    expect(await runProcess(child, [path, "60000"])).toBe("opened");
  });
});

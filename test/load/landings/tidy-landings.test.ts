import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { syncHere } from "../../pipeline/sync-workspace.ts";
import { itInAll } from "../../support/long-suite.ts";
import { setUp } from "../../support/service.ts";

itInAll("removes what a run that was killed had packed and not yet removed", async () => {
  const setup = await setUp({ days: 2, zones: 2, playScale: 0.1 });
  await syncHere(setup, { topics: ["history"] });
  const folder = join(setup.dataFolder, "landing");
  const packed = readdirSync(folder).find((name) => name.endsWith(".jsonl.gz")) ?? "";
  const plain = packed.slice(0, -".gz".length);
  writeFileSync(join(folder, plain), gunzipSync(readFileSync(join(folder, packed))));
  await syncHere(setup, { topics: ["history"] });
  expect(existsSync(join(folder, plain))).toBe(false);
  expect(existsSync(join(folder, packed))).toBe(true);
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { TrinoError, TrinoQueryLostError } from "../../../src/engines/errors.ts";
import { TrinoEngine } from "../../../src/engines/trino/trino-engine.ts";
import { silentLogger } from "../../../src/util/logger.ts";
import { isAll } from "../../support/long-suite.ts";
import { type Cluster, startCluster } from "../cluster/start-cluster.ts";
import { onTrinoInAll, openTrino } from "../support/on-trino.ts";

let folder: string;
let cluster: Cluster;

beforeAll(async () => {
  const installation = inject("installation");
  if (!(installation && isAll)) return;
  folder = mkdtempSync(join(tmpdir(), "venue-analytics-faults-"));
  cluster = await startCluster(installation, { bucket: { folder: join(folder, "bucket") }, workers: 2 });
  const engine = new TrinoEngine({
    url: cluster.url,
    user: "tester",
    catalog: "venue_core",
    logger: silentLogger,
  });
  await engine.run("create schema venue_core.faults");
  await engine.run(`create table venue_core.faults.part with (partitioned_by = array['part']) as
    select x, x as part from unnest(sequence(1, 12)) as t (x)`);
  engine.close();
});

afterAll(async () => {
  await cluster?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** A select that runs for hours on every worker: each reads some parts of the table. */
const endlessSelect = `
  select count(*) as n
  from venue_core.faults.part as p, unnest(sequence(1, 10000)) as b (y), unnest(sequence(1, 10000)) as c (z),
    unnest(sequence(1, 10000)) as d (z2)
  where p.x * b.y + c.z > d.z2`;

/** The error of a statement disturbed by `happen` once all nodes work on it. */
async function failDuring(happen: () => Promise<void>, totalMs = 60_000): Promise<unknown> {
  let started = () => {};
  const isRunning = new Promise<void>((resolve) => {
    started = resolve;
  });
  const engine = openTrino({
    url: cluster.url,
    retry: { totalMs },
    onProgress: ({ state, percent }) => state === "RUNNING" && percent !== undefined && started(),
  });
  const failed = engine.get(endlessSelect).catch((error: unknown) => error);
  await isRunning;
  await happen();
  return await failed;
}

onTrinoInAll("a statement that failed with a lost worker may be repeated, and succeeds", async () => {
  const error = await failDuring(cluster.killWorker);
  expect(error).toBeInstanceOf(TrinoError);
  expect(error).toMatchObject({ isRetriable: true, category: "service" });
  const engine = openTrino({ url: cluster.url });
  const count = async (): Promise<unknown> => {
    try {
      return await engine.get("select count(distinct x) as n from unnest(sequence(1, 1000)) as t (x)");
    } catch (again) {
      // Until the coordinator detects the loss.
      expect(again).toMatchObject({ isRetriable: true });
      return await count();
    }
  };
  expect(await count()).toEqual({ n: 1_000 });
});

onTrinoInAll("waits for a restarting coordinator, which has lost the statement", async () => {
  const error = await failDuring(cluster.restartCoordinator);
  expect(error).toBeInstanceOf(TrinoQueryLostError);
  expect((error as Error).message).toContain(
    "its coordinator was probably restarted. Run this again once it is up",
  );
  expect(await openTrino({ url: cluster.url }).get("select 1 as one")).toEqual({ one: 1 });
});

onTrinoInAll("reports an unavailable coordinator", async () => {
  const error = await failDuring(cluster.stop, 2_000);
  expect(error).toMatchObject({ code: "TRINO_UNREACHABLE" });
  expect((error as Error).message).toMatch(/^Trino at http:\S+ refuses connections\. Check its address/);
});

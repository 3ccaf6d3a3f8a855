import { inject, it, onTestFinished } from "vitest";
import { TrinoEngine } from "../../../src/engines/trino/trino-engine.ts";
import type { TrinoOptions } from "../../../src/engines/trino/trino-options.ts";
import { silentLogger } from "../../../src/util/logger.ts";
import { isAll } from "../../support/long-suite.ts";

/** A test that needs Trino; skipped if unavailable. */
export const onTrino = it.skipIf(!inject("installation"));

/** A slow test that needs Trino: `make test-all` and `make soak` run it. */
export const onTrinoInAll = isAll ? onTrino : it.skip;

/** A slow test that needs Trino over a store. */
export const onStoreInAll = it.skipIf(!(isAll && inject("installation")?.gateway));

export function getSharedCluster(): { url: string; nessieUrl: string; bucket: string } {
  const cluster = inject("sharedCluster");
  if (!cluster) throw new Error("a test that needs Trino must be one of onTrino");
  return cluster;
}

/** An engine that is closed with the test. @default on the shared cluster */
export function openTrino(options: Partial<TrinoOptions> = {}): TrinoEngine {
  const url = options.url ?? getSharedCluster().url;
  const engine = new TrinoEngine({
    user: "tester",
    catalog: "venue_core",
    logger: silentLogger,
    ...options,
    url,
  });
  onTestFinished(() => engine.close());
  return engine;
}

export const endlessSelect = `
  select count(*) as n
  from unnest(sequence(1, 10000)) as a (x), unnest(sequence(1, 10000)) as b (y), unnest(sequence(1, 10000)) as c (z)
  where a.x * b.y + c.z > 7`;

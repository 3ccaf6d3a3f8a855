import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { TrinoError } from "../../../src/engines/errors.ts";
import type { TrinoProgress } from "../../../src/engines/trino/trino-response.ts";
import { endlessSelect, getSharedCluster, onTrino, openTrino } from "../support/on-trino.ts";

const readMany = fileURLToPath(new URL("read-many.child.mjs", import.meta.url));

async function errorOf(failing: Promise<unknown>): Promise<unknown> {
  return await failing.then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function stateOf(queryId: string): Promise<unknown> {
  const sql = "select state, error_code from system.runtime.queries where query_id = ?";
  return await openTrino().find(sql, [queryId]);
}

onTrino("returns how many rows a statement changed, and applies session properties", async () => {
  const engine = openTrino({ session: { "venue_core.insert_existing_partitions_behavior": "APPEND" } });
  await engine.run("create schema if not exists venue_core.statements");
  expect(
    await engine.run("create table venue_core.statements.t as select * from (values 1, 2) as t (a)"),
  ).toBe(2);
  expect(await engine.run("insert into venue_core.statements.t values ?;\n", [3])).toBe(1);
  expect(await engine.run("drop table venue_core.statements.t")).toBe(0);
});

onTrino("reads many rows in constant memory", () => {
  const thousands = 1_000;
  const count = thousands * 1_000;
  const output = execFileSync(
    process.execPath,
    ["--max-old-space-size=40", readMany, getSharedCluster().url, String(thousands)],
    { encoding: "utf8" },
  );
  expect(output).toBe(`${count} ${(count * (count - 1)) / 2}\n`);
});

onTrino("reads other relations in place of our tables", async () => {
  const engine = openTrino({ relations: { "ours.nodes": "system.runtime.nodes" } });
  const sql = "select count(*) as n, 'ours.nodes' as text from ours.nodes -- ours.nodes";
  expect(await engine.get(sql)).toEqual({ n: 1, text: "ours.nodes" });
});

onTrino("names the query, its page and the cause of an error", async () => {
  const error = (await errorOf(openTrino().all("select * from nowhere.nothing"))) as TrinoError;
  expect(error).toBeInstanceOf(TrinoError);
  const { queryId, link, errorName, category, isRetriable } = error;
  expect({ errorName, category, isRetriable }).toEqual({
    errorName: "SCHEMA_NOT_FOUND",
    category: "usage",
    isRetriable: false,
  });
  expect(link).toBe(`${getSharedCluster().url}/ui/query.html?${queryId}`);
  expect(error.message).toBe(
    `Trino query ${queryId} failed with SCHEMA_NOT_FOUND: line 1:15: Schema 'nowhere' does not exist. Details: ${link}`,
  );
  expect(await stateOf(queryId)).toEqual({ state: "FAILED", error_code: "SCHEMA_NOT_FOUND" });
});

onTrino("reports an error that comes after many rows", async () => {
  const { rows } = await openTrino().stream(
    "select 1 / (5000000 - a.x * 1000 - b.y) as n from unnest(sequence(1, 6000)) as a (x), unnest(sequence(1, 1000)) as b (y)",
  );
  const error = await errorOf(
    (async () => {
      for await (const _row of rows);
    })(),
  );
  expect(error).toMatchObject({ errorName: "DIVISION_BY_ZERO" });
});

onTrino("cancels aborted statements on the cluster", async () => {
  const progress: TrinoProgress[] = [];
  const controller = new AbortController();
  const engine = openTrino({
    onProgress: (step) => {
      progress.push(step);
      if (step.state === "RUNNING") controller.abort(new Error("enough"));
    },
  });
  const error = await errorOf(engine.interruptible(controller.signal, () => engine.get(endlessSelect)));
  expect(error).toEqual(new Error("enough"));
  expect(await stateOf(progress.at(-1)?.queryId ?? "")).toEqual({
    state: "FAILED",
    error_code: "USER_CANCELED",
  });
  expect(await engine.get("select 1 as one")).toEqual({ one: 1 });
});

onTrino("cancels results that are not read to their end", async () => {
  let queryId = "";
  const engine = openTrino({ onProgress: (step) => (queryId = step.queryId) });
  const many = "select a.x from unnest(sequence(1, 10000)) as a (x), unnest(sequence(1, 10000)) as b (y)";
  for await (const row of (await engine.stream(many)).rows) {
    expect(row).toHaveLength(1);
    break;
  }
  expect(await stateOf(queryId)).toEqual({ state: "FAILED", error_code: "USER_CANCELED" });
});

onTrino("starts nothing once its signal is aborted", async () => {
  const engine = openTrino({ signal: AbortSignal.abort(new Error("over")) });
  expect(await errorOf(engine.run("select 1"))).toEqual(new Error("over"));
});

onTrino("reports a statement's progress", async () => {
  const progress: TrinoProgress[] = [];
  const engine = openTrino({ onProgress: (step) => progress.push(step) });
  await engine.run("create schema if not exists venue_core.progress");
  await engine.run("create table venue_core.progress.t as select x from unnest(sequence(1, 9999)) as t (x)");
  progress.length = 0;
  await engine.get("select count(*) as n, max(x) as x from venue_core.progress.t");
  expect(progress[0]).toMatchObject({ state: "QUEUED", rows: 0 });
  expect(progress.at(-1)).toMatchObject({ state: "FINISHED", percent: 100, rows: 9_999 });
  expect(new Set(progress.map(({ queryId }) => queryId)).size).toBe(1);
});

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openClientState } from "../../../src/state/client/client-state.ts";
import { computePace } from "../../../src/state/client/pace.ts";
import { maxPostponeMs, RequestBudget } from "../../../src/state/client/request-budget.ts";
import type { Sqlite } from "../../../src/state/sqlite.ts";
import { monotonicMs } from "../../../src/util/clock.ts";
import { deadPid, deadProcess } from "../../support/dead-pid.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

function openBudget(ratePerSecond: number): { state: Sqlite; budget: RequestBudget } {
  const state = openClientState(join(createTempFolder(), "client.db"));
  onTestFinished(() => state.close());
  return { state, budget: new RequestBudget(state, "api", computePace(ratePerSecond)) };
}

const granted = { hitId: expect.any(Number) };
const waiting = { waitMs: expect.any(Number) };

/** Lets one request through, and sends it. */
function send(budget: RequestBudget): void {
  const turn = budget.claimTurn(budget.join());
  if (!turn || !("hitId" in turn)) throw new Error("it is not its turn");
  budget.markSent(turn.hitId);
}

it("grants one request; the next waits for the rest of the second", () => {
  const { budget } = openBudget(1);
  send(budget);
  expect(budget.claimTurn(budget.join())).toEqual(waiting);
});

it("counts a granted but unsent request as sent now until it is released", () => {
  const { budget } = openBudget(1);
  const turn = budget.claimTurn(budget.join());
  expect(turn).toEqual(granted);
  const next = budget.join();
  expect(budget.claimTurn(next)).toEqual({ waitMs: 1000 });
  budget.release((turn as { hitId: number }).hitId);
  expect(budget.claimTurn(next)).toEqual(granted);
});

it("serves requests in order of arrival", () => {
  const { budget } = openBudget(1000);
  const first = budget.join();
  const second = budget.join();
  expect(budget.claimTurn(second)).toEqual(waiting);
  expect(budget.claimTurn(first)).toEqual(granted);
  budget.leave(first);
});

it("clears the tickets of dead processes", () => {
  const { state, budget } = openBudget(1000);
  state.run("insert into ticket (api, pid, process, beat_ms) values ('api', 1, ?, ?)", [
    deadProcess(),
    monotonicMs(),
  ]);
  expect(budget.claimTurn(budget.join())).toEqual(granted);
});

/** Runs a command in its own PID namespace, as in a container with the same host name. */
const inOtherNamespace = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child"];
const hasNamespaces = spawnSync("unshare", [...inOtherNamespace, "true"]).status === 0;

it.runIf(hasNamespaces)(
  "keeps the tickets of live processes in two containers with one host name",
  async () => {
    const { state, budget } = openBudget(1000);
    budget.postpone(maxPostponeMs);
    const own = budget.join();
    const child = join(import.meta.dirname, "wait-in-queue.child.mjs");
    const container = spawn("unshare", [...inOtherNamespace, process.execPath, child, state.path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void container.kill("SIGKILL"));
    await once(container.stdout, "data");
    expect(budget.claimTurn(own)).toEqual(waiting);
    const next = budget.join();
    expect(budget.claimTurn(next)).toEqual(waiting);
    expect(state.all("select id from ticket")).toHaveLength(3);
  },
);

it("clears the ticket of a remote process or an earlier version once its heartbeat stops", () => {
  const { state, budget } = openBudget(1000);
  for (const process of [`${deadPid()} 1 another-space`, null])
    state.run("insert into ticket (api, pid, process, beat_ms) values ('api', 1, ?, ?)", [
      process,
      monotonicMs(),
    ]);
  const own = budget.join();
  expect(budget.claimTurn(own)).toEqual(waiting);
  state.run("update ticket set beat_ms = beat_ms - 6000 where id <> ?", [own]);
  expect(budget.claimTurn(own)).toEqual(granted);
});

it("clears the tickets of live processes without a heartbeat", () => {
  const { state, budget } = openBudget(1000);
  const silent = budget.join();
  state.run("update ticket set beat_ms = ?", [monotonicMs() - 6000]);
  expect(budget.claimTurn(budget.join())).toEqual(granted);
  expect(budget.claimTurn(silent)).toBeUndefined();
});

it("counts the request of a dead process as sent", () => {
  const { state, budget } = openBudget(1);
  state.run("insert into hit (api, pid, process, granted_ms) values ('api', 1, ?, ?)", [
    deadProcess(),
    monotonicMs(),
  ]);
  const ticket = budget.join();
  expect(budget.claimTurn(ticket)).toEqual(waiting);
  state.run("update hit set sent_ms = sent_ms - 1100");
  expect(budget.claimTurn(ticket)).toEqual(granted);
});

it("revokes a turn not used within a minute", () => {
  const { state, budget } = openBudget(1);
  const turn = budget.claimTurn(budget.join()) as { hitId: number };
  state.run("update hit set granted_ms = granted_ms - 61000");
  budget.claimTurn(budget.join());
  expect(budget.markSent(turn.hitId)).toBe(false);
});

it("grants nothing before the latest instant that the service requested", () => {
  const { budget } = openBudget(1000);
  budget.postpone(700);
  budget.postpone(100);
  const turn = budget.claimTurn(budget.join()) as { waitMs: number };
  expect(turn.waitMs).toBeGreaterThan(500);
});

it("ignores instants from before the machine restarted", () => {
  const { state, budget } = openBudget(1000);
  const later = monotonicMs() + 30 * 24 * 3_600_000;
  budget.postpone(1);
  state.run("update budget set not_before_ms = ?", [later]);
  state.run("insert into hit (api, pid, granted_ms, sent_ms) values ('api', 1, ?, ?)", [later, later]);
  state.run("insert into ticket (api, pid, beat_ms) values ('api', ?, ?)", [process.ppid, later]);
  expect(budget.claimTurn(budget.join())).not.toEqual({ waitMs: 1000 });
  budget.postpone(maxPostponeMs);
  expect(state.get<{ not_before_ms: number }>("select not_before_ms from budget").not_before_ms).toBeLessThan(
    later,
  );
});

it("keeps the budgets of two API clients separate", () => {
  const { state, budget } = openBudget(1);
  send(budget);
  const other = new RequestBudget(state, "other", computePace(1));
  expect(other.claimTurn(other.join())).toEqual(granted);
});

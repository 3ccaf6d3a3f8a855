import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { openClientState } from "../../../src/state/client/client-state.ts";
import { TokenStore } from "../../../src/state/client/token-store.ts";
import type { Sqlite } from "../../../src/state/sqlite.ts";
import { deadProcess } from "../../support/dead-pid.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

function openStore(): { state: Sqlite; store: TokenStore } {
  const state = openClientState(join(createTempFolder(), "client.db"));
  onTestFinished(() => state.close());
  return { state, store: new TokenStore(state, "api") };
}

it("stores a token with its generation", () => {
  const { store } = openStore();
  expect(store.find()).toBeUndefined();
  store.claim(0)?.store("first", 2000, 1000);
  const storedAt = expect.any(Number);
  const first = { accessToken: "first", generation: 1, expiresAt: 2000, renewAt: 1000, storedAt };
  expect(store.find()).toEqual({ ...first, acceptedGeneration: 0 });
  store.accept(1);
  expect(store.find()).toEqual({ ...first, acceptedGeneration: 1 });
});

it("allows one renewal at a time", () => {
  const { store } = openStore();
  const renewal = store.claim(0);
  expect(store.claim(0)).toBeUndefined();
  renewal?.store("first", 2, 1);
  expect(store.claim(0)).toBeUndefined();
  const next = store.claim(1);
  expect(next).toBeDefined();
  next?.giveUp();
  const again = store.claim(1);
  expect(again).toBeDefined();
  again?.pause();
  expect(store.claim(1)).toBeUndefined();
});

it.each<[string, (state: Sqlite) => void]>([
  [
    "has died",
    (state) => {
      state.run("update token set holder_process = ?", [deadProcess()]);
    },
  ],
  ["is silent", (state) => void state.run("update token set lease_ms = 1")],
  ["is from before the machine restarted", (state) => void state.run("update token set lease_ms = 1e15")],
])("takes the lease from a holder that %s and rejects its late token", (_label, lose) => {
  const { state, store } = openStore();
  const lost = store.claim(0);
  lose(state);
  const renewal = store.claim(0);
  expect(renewal).toBeDefined();
  lost?.store("late", 2, 1);
  expect(store.find()).toBeUndefined();
  renewal?.store("first", 2, 1);
  expect(store.find()?.accessToken).toBe("first");
});

it("survives a failure to extend the lease, and extends it later", () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { state, store } = openStore();
  const renewal = store.claim(0);
  const lease = () => state.get<{ lease_ms: number }>("select lease_ms from token").lease_ms;
  const before = lease();
  state.script("pragma query_only = on");
  vi.advanceTimersByTime(6_000);
  expect(lease()).toBe(before);
  state.script("pragma query_only = off");
  vi.advanceTimersByTime(6_000);
  expect(lease()).toBeGreaterThan(before);
  renewal?.giveUp();
});

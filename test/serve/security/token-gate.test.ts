import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { TokenGate } from "../../../src/serve/security/token-gate.ts";
import type { Share } from "../../../src/state/data/shares.ts";

const token = "0123456789abcdef";
const basic = (password: string) => `Basic ${Buffer.from(`anyone:${password}`).toString("base64")}`;

function statusOf(check: () => void): number {
  try {
    check();
    return 200;
  } catch (error) {
    return (error as { status: number }).status;
  }
}

it.each([
  ["a bearer token", `Bearer ${token}`, 200],
  ["a password", basic(token), 200],
  ["the scheme in lower case", `bearer ${token}`, 200],
  ["nothing", undefined, 401],
  ["an empty string", "", 401],
  ["another token", `Bearer ${token}0`, 401],
  ["the start of the token", `Bearer ${token.slice(0, -1)}`, 401],
  ["a user name", `Basic ${Buffer.from(`${token}:`).toString("base64")}`, 401],
  ["no colon", `Basic ${Buffer.from(token).toString("base64")}`, 401],
  ["another scheme", `Digest ${token}`, 401],
])("%s", (_label, given, status) => {
  const gate = new TokenGate(token, () => 0);
  expect(statusOf(() => gate.check(given, "10.0.0.1"))).toBe(status);
});

/** A clock, and the status of a request with a token from an address, at a gate that also knows a customer token. */
function openGate() {
  const clock = { ms: 1 };
  const shareToken = "share0123456789abcdef";
  const known = createHash("sha256").update(shareToken).digest("hex");
  const gate = new TokenGate(
    token,
    () => clock.ms,
    (tokenSha256) => (tokenSha256 === known ? ({ name: "acme" } as Share) : undefined),
  );
  const send = (given: string | undefined, address = "10.0.0.1") =>
    statusOf(() => gate.check(given === undefined ? undefined : `Bearer ${given}`, address));
  return { clock, send, shareToken };
}

it("after five wrong tokens, an address must wait, twice as long each time", () => {
  const { clock, send } = openGate();
  const wrong = () => send("wrong");
  expect(Array.from({ length: 6 }, wrong)).toEqual([401, 401, 401, 401, 401, 429]);
  expect(send("wrong", "10.0.0.2")).toBe(401);
  clock.ms = 1_001;
  expect([wrong(), wrong()]).toEqual([401, 429]);
  clock.ms = 3_000;
  expect(wrong()).toBe(429);
  clock.ms = 3_001;
  expect(wrong()).toBe(401);
  // An hour after the last one, the count is reset.
  clock.ms = 3_604_000;
  expect(Array.from({ length: 6 }, wrong)).toEqual([401, 401, 401, 401, 401, 429]);
});

it("right tokens are accepted while their address must wait, so nobody can lock out others behind a proxy", () => {
  const { send, shareToken } = openGate();
  for (let guess = 0; guess < 6; guess += 1) send("wrong");
  expect([send("wrong"), send(token), send(shareToken)]).toEqual([429, 200, 200]);
  // A browser shows its prompt only for 401.
  expect(send(undefined)).toBe(401);
});

it("guesses between requests with a customer token, or the operator's, are also counted", () => {
  const { send, shareToken } = openGate();
  const guesses = Array.from({ length: 40 }, (_, guess) => {
    const status = send(`guess${guess}`);
    expect([send(shareToken), send(token)]).toEqual([200, 200]);
    return status;
  });
  expect(guesses.filter((status) => status === 401)).toHaveLength(5);
  expect(guesses.slice(5).every((status) => status === 429)).toBe(true);
});

it("a request without a token is not a guess", () => {
  const gate = new TokenGate(token, () => 0);
  const without = () => statusOf(() => gate.check(undefined, "10.0.0.1"));
  expect(new Set(Array.from({ length: 20 }, without))).toEqual(new Set([401]));
  expect(statusOf(() => gate.check(`Bearer ${token}`, "10.0.0.1"))).toBe(200);
});

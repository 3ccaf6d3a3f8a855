import { expect, it } from "vitest";
import { TokenGate } from "../../../src/serve/security/token-gate.ts";

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

it("after five wrong tokens an address must wait, twice as long each time, even with the right token; others need not", () => {
  let now = 0;
  const gate = new TokenGate(token, () => now);
  const wrong = () => statusOf(() => gate.check("Bearer wrong", "10.0.0.1"));
  const right = (address = "10.0.0.1") => statusOf(() => gate.check(`Bearer ${token}`, address));
  expect(Array.from({ length: 6 }, wrong)).toEqual([401, 401, 401, 401, 401, 429]);
  expect([right(), right("10.0.0.2")]).toEqual([429, 200]);
  now = 1_000;
  expect([wrong(), right()]).toEqual([401, 429]);
  now = 2_999;
  expect(right()).toBe(429);
  now = 3_000;
  expect(right()).toBe(200);
  // The failures are forgotten.
  expect(Array.from({ length: 5 }, wrong)).toEqual([401, 401, 401, 401, 401]);
});

it("a request without a token is not a guess", () => {
  const gate = new TokenGate(token, () => 0);
  const without = () => statusOf(() => gate.check(undefined, "10.0.0.1"));
  expect(new Set(Array.from({ length: 20 }, without))).toEqual(new Set([401]));
  expect(statusOf(() => gate.check(`Bearer ${token}`, "10.0.0.1"))).toBe(200);
});

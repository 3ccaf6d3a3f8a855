import { expect, it } from "vitest";
import { computeDueMs, computePace, estimateSendSeconds, type Hit } from "../../../src/state/client/pace.ts";

it.each([
  [1, 1, 1000],
  [20, 20, 1000],
  [2.5, 2, 1000],
  [0.5, 1, 2000],
  [0.001, 1, 1_000_000],
])("%s per second is %i in any %i ms", (rate, requests, windowMs) => {
  expect(computePace(rate)).toEqual({ requests, windowMs });
});

const sent = (...instants: number[]): Hit[] => instants.map((at) => ({ grantedMs: at, sentMs: at }));

it.each<[string, number, Hit[], number]>([
  ["nothing sent yet", 1, [], -Infinity],
  ["one a second, one sent", 1, sent(4000), 5025],
  ["one per second, granted but not sent", 1, [{ grantedMs: 4000, sentMs: null }], 6025],
  ["two a second, one sent: half the mean distance", 2, sent(4000), 4250],
  ["two a second, two sent: the older one counts", 2, sent(4000, 4600), 5025],
  ["two per second, sent in another order than granted", 2, sent(4600, 4000), 5025],
  ["two a second, one of two not sent", 2, [...sent(4900), { grantedMs: 4950, sentMs: null }], 5925],
  ["two per second, an old one is ignored", 2, sent(1000, 4000), 4250],
  ["one every two seconds", 0.5, sent(4000), 6025],
])("%s", (_label, rate, hits, expected) => {
  expect(computeDueMs(hits, computePace(rate), 5000)).toBe(expected);
});

it.each([
  [1, 0, 0],
  [1, 1, 0],
  [1, 3, 2.05],
  [2, 2, 0.25],
  [2, 5, 2.05],
  [10, 31, 3.075],
  [0.5, 2, 2.025],
])("%s per second: %i requests are sent in %s s", (rate, requests, seconds) => {
  expect(estimateSendSeconds(requests, computePace(rate))).toBeCloseTo(seconds, 6);
});

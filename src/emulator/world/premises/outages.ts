import { Random } from "../random.ts";

/** A span in which a device could not reach the service; epoch ms, the end exclusive. */
export interface Outage {
  startedAtMs: number;
  endedAtMs: number;
}

/** Each stretch of four days has one outage or none, that begins in its first half and ends before the next. */
const stretchMs = 4 * 86_400_000;
const longestMinutes = 40 * 60;

/** The outages of a device that touch a span of time, in order. Most last minutes or hours, some over a day. */
export function findOutages(seed: number, deviceId: number, fromMs: number, untilMs: number): Outage[] {
  const outages: Outage[] = [];
  for (let stretch = Math.floor(fromMs / stretchMs); stretch * stretchMs < untilMs; stretch += 1) {
    const random = new Random(seed, "outage", deviceId, stretch);
    if (!random.chance(0.3)) continue;
    const startedAtMs = stretch * stretchMs + random.between(0, stretchMs / 2000) * 1000;
    const minutes = random.chance(0.1) ? random.between(360, longestMinutes) : random.between(5, 240);
    const endedAtMs = startedAtMs + minutes * 60_000;
    if (endedAtMs > fromMs && startedAtMs < untilMs) outages.push({ startedAtMs, endedAtMs });
  }
  return outages;
}

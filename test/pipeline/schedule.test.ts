import { Cron } from "croner";
import { describe, expect, it } from "vitest";
import { type Job, keepSchedule } from "../../src/pipeline/schedule.ts";
import { itEachSampled, share } from "../support/long-suite.ts";
import { randomNumbers } from "../support/random-numbers.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A machine on which time passes only while something waits or runs. */
class Machine {
  nowMs: number;
  readonly starts: { atMs: number; isKilled: boolean }[] = [];
  /** Instants at which the schedule read the clock. */
  readonly awakeMs: number[] = [];
  readonly #random: (n: number) => number;
  readonly #endMs: number;

  constructor(from: string, to: string, seed: number) {
    this.nowMs = Date.parse(from);
    this.#endMs = Date.parse(to);
    this.#random = randomNumbers(seed);
  }

  /** Runs the schedule until the end, and restarts its process after kills. */
  async keep(pattern: string, timezone: string): Promise<void> {
    const nextRun = rememberNext(new Cron(pattern, { timezone, paused: true }));
    while (this.nowMs < this.#endMs) {
      const end = new AbortController();
      const job: Job = {
        name: "run",
        pattern: { nextRun },
        findLastStart: async (upTo) => {
          const last = this.starts.findLast(({ atMs, isKilled }) => !isKilled && atMs <= Number(upTo));
          return last && new Date(last.atMs);
        },
        start: async () => {
          const isKilled = this.#random(20) === 0;
          this.starts.push({ atMs: this.nowMs, isKilled });
          this.nowMs += minuteMs * (1 + this.#random(this.#random(10) === 0 ? 540 : 20));
          if (!isKilled) return [0, 1, 3][this.#random(3)] ?? 0;
          // Half of the kills end only the run, the others the schedule as well.
          if (this.#random(2) === 0) end.abort();
          return 137;
        },
      };
      await keepSchedule([job], {
        clock: {
          now: () => {
            this.awakeMs.push(this.nowMs);
            return new Date(this.nowMs);
          },
          sleep: async (durationMs) => {
            this.nowMs += Math.max(1, durationMs);
            // The machine sleeps, for up to three days.
            if (this.#random(4000) === 0) this.nowMs += hourMs * this.#random(72);
            if (this.nowMs >= this.#endMs) end.abort();
          },
        },
        signal: end.signal,
        onPlan: () => {},
        onStart: () => {},
        onEnd: () => {},
        onError: (error) => {
          throw error;
        },
      });
      this.nowMs += minuteMs * this.#random(30);
    }
  }
}

/** Caches results, because half a million computations would take minutes. */
function rememberNext(pattern: Cron): (after?: Date | string | null) => Date | null {
  const known = new Map<string, Date | null>();
  return (after) => {
    const key = String(Number(after));
    if (!known.has(key)) known.set(key, pattern.nextRun(after));
    return known.get(key) ?? null;
  };
}

/** The first instant of each local day at which its clock shows the time, or a later one if that is skipped. */
function listDues(time: string, timeZone: string, from: string, to: string): number[] {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  const dues = new Map<string, number>();
  for (let ms = Date.parse(from); ms < Date.parse(to); ms += 15 * minuteMs) {
    const [date = "", local = ""] = format.format(ms).split(" ");
    if (local >= time && !dues.has(date)) dues.set(date, ms);
  }
  return [...dues.values()];
}

describe("over 400 days with sleeps, kills and both clock changes", () => {
  itEachSampled(
    [
      // Skipped in spring, and repeated in autumn.
      ["30 2 * * *", "02:30", "Europe/Berlin"],
      ["30 5 * * *", "05:30", "Europe/Berlin"],
      ["30 1 * * *", "01:30", "America/New_York"],
      ["0 0 * * *", "00:00", "Australia/Sydney"],
    ] as const,
    1,
  )("%s at %s in %s starts once each day", async ([pattern, time, timeZone]) => {
    const [from, to] = ["2026-02-01T03:00:00Z", "2027-03-08T03:00:00Z"];
    const machine = new Machine(from, to, 7);
    await machine.keep(pattern, timeZone);
    const dues = listDues(time, timeZone, "2026-01-31T00:00:00Z", to);
    expect(dues.length).toBeGreaterThan(400);
    const counts = { once: 0, missed: 0, asleep: 0 };
    for (const [index, due] of dues.entries()) {
      const next = dues[index + 1] ?? Number.POSITIVE_INFINITY;
      // The clock's resolution here is 15 minutes, by which the start on a day with a skipped time may be late.
      const within = (ms: number) => ms >= due && ms < next;
      const starts = machine.starts.filter(({ atMs }) => within(atMs));
      const done = starts.filter(({ isKilled }) => !isKilled).length;
      expect(done, new Date(due).toISOString()).toBeLessThanOrEqual(1);
      if (done === 1) counts.once++;
      else if (starts.length === 0 && !machine.awakeMs.some(within)) counts.asleep++;
      else if (starts.length === 0) counts.missed++;
    }
    expect(counts.missed).toBe(0);
    expect(counts.once).toBeGreaterThan(300);
    expect(machine.starts.some(({ isKilled }) => isKilled)).toBe(true);
  });
});

describe.each([
  ["Europe/Berlin", "2026-10-25T01:00:00Z"],
  ["America/New_York", "2026-11-01T06:00:00Z"],
])("over a month with a sleep that ends in the repeated hour in %s", (timeZone, hour) => {
  const repeatedMs = Date.parse(hour);
  const wakes = share([31], [1, 31, 59], [1, 31, 59]);

  it.each([
    ["daily, within the hour", `30 ${timeZone === "Europe/Berlin" ? 2 : 1} * * *`],
    ["every 15 minutes", "*/15 * * * *"],
  ])("a job that runs %s starts once on waking, and never twice for one time", async (_label, pattern) => {
    for (const minutes of wakes) {
      const cron = new Cron(pattern, { timezone: timeZone, paused: true, mode: "5-part" });
      const asleep = { fromMs: repeatedMs - 6 * hourMs, toMs: repeatedMs + minutes * minuteMs };
      const { starts, errors } = await keepMonth(cron, repeatedMs, asleep);
      expect(errors).toEqual([]);
      const within = starts.filter((ms) => ms >= repeatedMs && ms < repeatedMs + hourMs);
      expect([minutes, within.length]).toEqual([minutes, 1]);
      // Each start, except the one on waking, belongs to a separate time, later than that of the previous start.
      const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
      const times = starts.filter((ms) => !within.includes(ms)).map((ms) => format.format(ms));
      expect(times).toEqual([...new Set(times)].sort());
      expect(times.length).toBeGreaterThan(27);
    }
  });
});

it("an error in a start is reported, and the job started again a minute later", async () => {
  const cron = new Cron("30 5 * * *", { timezone: "Europe/Berlin", paused: true, mode: "5-part" });
  const fromMs = Date.parse("2026-10-25T01:00:00Z");
  const { starts, errors } = await keepMonth(cron, fromMs, undefined, { failing: [3, 4, 9] });
  expect(errors).toEqual(["spawn EAGAIN", "spawn EAGAIN", "spawn EAGAIN"]);
  expect(starts).toHaveLength(30);
  expect(starts.map((ms) => new Date(ms).getUTCMinutes()).filter((minute) => minute !== 30)).toEqual([
    32, 31,
  ]);
});

/** Runs the schedule of a job that takes a minute, from 15 days before an instant to 15 days after it. */
async function keepMonth(
  cron: Cron,
  middleMs: number,
  asleep: { fromMs: number; toMs: number } | undefined,
  { failing = [] }: { failing?: readonly number[] } = {},
): Promise<{ starts: number[]; errors: string[] }> {
  const dayMs = 24 * hourMs;
  const end = new AbortController();
  const starts: number[] = [];
  const errors: string[] = [];
  let [nowMs, attempts, lastMs] = [middleMs - 15 * dayMs, 0, middleMs - 15.5 * dayMs];
  const job: Job = {
    name: "run",
    pattern: { nextRun: rememberNext(cron) },
    findLastStart: async () => new Date(lastMs),
    start: async () => {
      attempts += 1;
      if (failing.includes(attempts)) throw new Error("spawn EAGAIN");
      lastMs = nowMs;
      starts.push(nowMs);
      nowMs += minuteMs;
      return 0;
    },
  };
  await keepSchedule([job], {
    clock: {
      now: () => new Date(nowMs),
      sleep: async (durationMs) => {
        nowMs += durationMs;
        if (asleep && nowMs >= asleep.fromMs && nowMs < asleep.toMs) nowMs = asleep.toMs;
        if (nowMs >= middleMs + 15 * dayMs) end.abort();
      },
    },
    signal: end.signal,
    onPlan: () => {},
    onStart: () => {},
    onEnd: () => {},
    onError: (error) => errors.push(String((error as Error).message)),
  });
  return { starts, errors };
}

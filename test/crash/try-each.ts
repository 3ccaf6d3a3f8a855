import { expect } from "vitest";
import { tellTried } from "../support/tried.ts";
import { DailyRun } from "./daily-run.ts";
import type { Call } from "./failing-calls.ts";

/** Worlds side by side, as a run rarely keeps more than one core busy. */
const lanes = 2;

/** A run where nothing goes wrong. */
type Recorded = Awaited<ReturnType<DailyRun["record"]>>;

export interface TriedCalls {
  what: string;
  /** Which calls of a run where nothing goes wrong. */
  choose(calls: readonly Call[]): Call[];
  /** Answers how it ended, in a few words; throws where it ended otherwise than it should. */
  attempt(call: Call, day: DailyRun, unharmed: Recorded): Promise<string>;
}

/** Does the same at each of many calls of `venue run`, all of them whatever happens at one, and tells how often it was tried. */
export async function tryEach({ what, choose, attempt }: TriedCalls): Promise<void> {
  const days: DailyRun[] = [];
  const happened: Record<string, number> = {};
  const failures: string[] = [];
  try {
    while (days.length < lanes) days.push(await DailyRun.open());
    const unharmed = await (days[0] as DailyRun).record(["run"]);
    expect(unharmed.calls.length).toBeGreaterThan(500);
    const left = choose(unharmed.calls);
    const count = left.length;
    const inTurn = async (day: DailyRun): Promise<void> => {
      for (let call = left.shift(); call; call = left.shift()) {
        const end = await attempt(call, day, unharmed).catch((error: unknown) => {
          failures.push(`${call?.number} ${call?.step}: ${error instanceof Error ? error.message : error}`);
          return "failed";
        });
        happened[end] = (happened[end] ?? 0) + 1;
      }
    };
    await Promise.all(days.map(inTurn));
    tellTried(what, count, happened);
  } finally {
    for (const { emulator } of days) await emulator.close();
  }
  expect(failures).toEqual([]);
}

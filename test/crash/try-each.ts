import { expect } from "vitest";
import { tellTried } from "../support/tried.ts";
import { DailyRun, type Way, ways } from "./daily-run.ts";
import type { Call } from "./failing-calls.ts";

/** Worlds side by side, as a run rarely keeps more than one core busy. */
const laneCount = 2;

/** Which of how many equal parts of the calls are tried: `2/6`. All of them take hours. */
const [part, parts] = (process.env.PART || "1/1").split("/").map(Number) as [number, number];

/** A run where nothing goes wrong. */
type Recorded = Awaited<ReturnType<DailyRun["record"]>>;

export interface TriedCalls {
  what: string;
  /** Which calls of a run where nothing goes wrong. */
  choose(calls: readonly Call[]): Call[];
  /** Answers how it ended, in a few words; throws where it ended otherwise than it should. */
  attempt(call: Call, day: DailyRun, unharmed: Recorded): Promise<string>;
}

/** A call of a run whose histories come in one way. */
interface Chosen {
  call: Call;
  way: Way;
}

/**
 * Does the same at each of many calls of `venue run`, all of them whatever happens at one, and tells how often it was tried.
 * The calls are those of a run that asks for exports, and those that only one which walks makes.
 */
export async function tryEach({ what, choose, attempt }: TriedCalls): Promise<void> {
  const opened: DailyRun[] = [];
  const happened: Record<string, number> = {};
  const failures: string[] = [];
  const open = async () => {
    const days = new Map<Way, DailyRun>();
    for (const way of ways) {
      const day = await DailyRun.open(way);
      opened.push(day);
      days.set(way, day);
    }
    return days;
  };
  try {
    const lanes = [];
    while (lanes.length < laneCount) lanes.push(await open());
    const unharmed = await recordAll(lanes[0] as ReadonlyMap<Way, DailyRun>);
    const chosen = chooseOf(unharmed, choose);
    expect(chosen.length).toBeGreaterThan(0);
    const left = chosen.filter((_, index) => index % parts === part - 1);
    const count = left.length;
    const inTurn = async (days: ReadonlyMap<Way, DailyRun>): Promise<void> => {
      for (let next = left.shift(); next; next = left.shift()) {
        const { call, way } = next;
        const end = await attempt(call, days.get(way) as DailyRun, unharmed.get(way) as Recorded).catch(
          (error: unknown) => {
            const failure = `${way}: ${call.number} ${call.step}: ${error instanceof Error ? error.message : error}`;
            failures.push(failure);
            // At once: who ends the suite before it is over knows of it.
            process.stdout.write(`${failure}\n`);
            return "failed";
          },
        );
        happened[end] = (happened[end] ?? 0) + 1;
      }
    };
    await Promise.all(lanes.map(inTurn));
    tellTried(parts === 1 ? what : `${what}, part ${part} of ${parts}`, count, happened);
  } finally {
    for (const { emulator } of opened) await emulator.close();
  }
  expect(failures).toEqual([]);
}

async function recordAll(days: ReadonlyMap<Way, DailyRun>): Promise<Map<Way, Recorded>> {
  const recorded = new Map<Way, Recorded>();
  for (const [way, day] of days) {
    const unharmed = await day.record(["run"]);
    expect(unharmed.calls.length, way).toBeGreaterThan(500);
    expect(unharmed.asked[way], way).toBeGreaterThan(0);
    recorded.set(way, unharmed);
  }
  return recorded;
}

function chooseOf(unharmed: ReadonlyMap<Way, Recorded>, choose: TriedCalls["choose"]): Chosen[] {
  const wayOf = new Map<Call, Way>();
  const steps = new Set<string>();
  for (const [way, { calls }] of unharmed) {
    for (const call of calls) if (!steps.has(call.step)) wayOf.set(call, way);
    for (const { step } of calls) steps.add(step);
  }
  return choose([...wayOf.keys()]).map((call) => ({ call, way: wayOf.get(call) as Way }));
}

import { expect } from "vitest";
import { reportTrials } from "../support/trial-report.ts";
import type { Call } from "./failing-calls.ts";
import type { Recorded } from "./machine.ts";

/** Runs two worlds in parallel, since a command rarely uses more than one core. */
const laneCount = 2;

/** Part of the calls to try, such as `2/6`. All of them take hours. */
const [part, parts] = (process.env.PART || "1/1").split("/").map(Number) as [number, number];

export interface World {
  record(): Promise<Recorded>;
  close(): Promise<void>;
}

export interface TriedCalls<Tried extends World> {
  what: string;
  /** Opens the worlds, by label. For a later world, only calls unique to it are tried. */
  worlds: Readonly<Record<string, () => Promise<Tried>>>;
  /** Chooses calls of a command that ran without failures. */
  choose(calls: readonly Call[]): Call[];
  /** Returns the outcome in a few words; throws on an unexpected one. */
  attempt(call: Call, world: Tried, unharmed: Recorded): Promise<string>;
}

interface Chosen {
  call: Call;
  name: string;
}

/** Tries each of many calls of a command, despite failures, and reports the number of attempts. */
export async function tryEach<Tried extends World>({
  what,
  worlds,
  choose,
  attempt,
}: TriedCalls<Tried>): Promise<void> {
  const opened: Tried[] = [];
  const happened: Record<string, number> = {};
  const failures: string[] = [];
  const open = async () => {
    const lane = new Map<string, Tried>();
    for (const [name, openOne] of Object.entries(worlds)) {
      const world = await openOne();
      opened.push(world);
      lane.set(name, world);
    }
    return lane;
  };
  try {
    const lanes = [];
    while (lanes.length < laneCount) lanes.push(await open());
    const unharmed = await recordAll(lanes[0] as ReadonlyMap<string, Tried>);
    const chosen = chooseOf(unharmed, choose);
    expect(chosen.length).toBeGreaterThan(0);
    const left = chosen.filter((_, index) => index % parts === part - 1);
    const count = left.length;
    const inTurn = async (lane: ReadonlyMap<string, Tried>): Promise<void> => {
      for (let next = left.shift(); next; next = left.shift()) {
        const { call, name } = next;
        const end = await attempt(call, lane.get(name) as Tried, unharmed.get(name) as Recorded).catch(
          (error: unknown) => {
            const failure = `${name}: ${call.number} ${call.step}: ${error instanceof Error ? error.message : error}`;
            failures.push(failure);
            // Printed immediately, for anyone who stops the suite early.
            process.stdout.write(`${failure}\n`);
            return "failed";
          },
        );
        happened[end] = (happened[end] ?? 0) + 1;
      }
    };
    await Promise.all(lanes.map(inTurn));
    reportTrials(parts === 1 ? what : `${what}, part ${part} of ${parts}`, count, happened);
  } finally {
    for (const world of opened) await world.close();
  }
  expect(failures).toEqual([]);
}

async function recordAll<Tried extends World>(
  worlds: ReadonlyMap<string, Tried>,
): Promise<Map<string, Recorded>> {
  const recorded = new Map<string, Recorded>();
  for (const [name, world] of worlds) recorded.set(name, await world.record());
  return recorded;
}

function chooseOf(
  unharmed: ReadonlyMap<string, Recorded>,
  choose: (calls: readonly Call[]) => Call[],
): Chosen[] {
  const nameOf = new Map<Call, string>();
  const steps = new Set<string>();
  for (const [name, { calls }] of unharmed) {
    for (const call of calls) if (!steps.has(call.step)) nameOf.set(call, name);
    for (const { step } of calls) steps.add(step);
  }
  return choose([...nameOf.keys()]).map((call) => ({ call, name: nameOf.get(call) as string }));
}

import { expect } from "vitest";
import { tellTried } from "../support/tried.ts";
import type { Call } from "./failing-calls.ts";

/**
 * Does the same at each of many calls, all of them whatever happens at one, and tells how often it was tried.
 * @param attempt answers how it ended, in a few words; throws where it ended otherwise than it should
 */
export async function tryEach(
  what: string,
  calls: readonly Call[],
  attempt: (call: Call) => Promise<string>,
): Promise<void> {
  const happened: Record<string, number> = {};
  const failures: string[] = [];
  for (const call of calls) {
    const end = await attempt(call).catch((error: unknown) => {
      failures.push(`${call.number} ${call.step}: ${error instanceof Error ? error.message : error}`);
      return "failed";
    });
    happened[end] = (happened[end] ?? 0) + 1;
  }
  tellTried(what, calls.length, happened);
  expect(failures).toEqual([]);
}

import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** SQLite's library lets go of a file that was closed once the statements that were prepared on it are collected. */
export async function collectGarbage(): Promise<void> {
  collect();
  // Then what was collected gives back what it held.
  await setImmediate();
}

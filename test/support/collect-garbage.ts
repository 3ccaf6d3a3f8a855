import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** SQLite's library releases a closed file once the statements prepared on it are collected. */
export async function collectGarbage(): Promise<void> {
  collect();
  // Finalizers then release their resources.
  await setImmediate();
}

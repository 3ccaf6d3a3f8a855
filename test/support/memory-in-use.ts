import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** What this thread holds, in bytes: without what only waits to be collected, so that equal work gives equal values. */
export function memoryInUse(): { heapUsed: number; arrayBuffers: number } {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { heapUsed, arrayBuffers };
}

import { spawnSync } from "node:child_process";
import { identifyThisProcess } from "../../src/util/process-liveness.ts";

export function deadPid(): number {
  return spawnSync(process.execPath, ["-e", ""]).pid;
}

/** The identity of a process of this machine that has ended. */
export function deadProcess(): string {
  return identifyThisProcess().replace(/^\d+/, String(deadPid()));
}

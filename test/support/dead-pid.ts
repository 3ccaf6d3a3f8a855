import { spawnSync } from "node:child_process";
import { ownProcess } from "../../src/util/process-lives.ts";

export function deadPid(): number {
  return spawnSync(process.execPath, ["-e", ""]).pid;
}

/** The identity of a process of this machine that has ended. */
export function deadProcess(): string {
  return ownProcess().replace(/^\d+/, String(deadPid()));
}

import { readFileSync } from "node:fs";

/** Peak memory of this process in bytes. `process.resourceUsage` starts with the parent's on Linux. */
export function peakBytes() {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS * 1024;
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"));
  return Number(kilobytes) * 1024;
}

import { readFileSync } from "node:fs";

/**
 * The most memory that this process had at any time, in bytes. What `process.resourceUsage` says begins, on Linux,
 * with the size of the process that started this one.
 */
export function peakBytes() {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS * 1024;
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"));
  return Number(kilobytes) * 1024;
}

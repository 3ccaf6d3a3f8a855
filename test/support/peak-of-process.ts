import { readFileSync } from "node:fs";

/** True if processes can be observed from outside on this system. */
export const canWatchProcesses = process.platform === "linux";

/**
 * Watches another process to its end, with the kernel's counters.
 * @returns its peak memory so far, in bytes
 */
export function watchPeak(pid: number): () => number {
  let peakBytes = 0;
  const look = () => {
    const kilobytes = readPeak(pid);
    if (kilobytes === undefined) clearInterval(timer);
    else peakBytes = Math.max(peakBytes, kilobytes * 1024);
  };
  const timer = setInterval(look, 5).unref();
  return () => peakBytes;
}

/** `undefined` once it has ended. */
function readPeak(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes);
  } catch {
    return undefined;
  }
}

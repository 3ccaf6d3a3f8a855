import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

let ticksPerSecond;

/** CPU seconds that a process has used, user and system; NaN without /proc. */
export function cpuSecondsOf(id) {
  ticksPerSecond ??= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  try {
    const [user, system] = readFileSync(`/proc/${id}/stat`, "utf8")
      .split(") ")
      .at(-1)
      .split(" ")
      .slice(11, 13);
    return (Number(user) + Number(system)) / ticksPerSecond;
  } catch {
    return Number.NaN;
  }
}

/** Peak memory of a process in MB of 10^6 bytes, from the kernel; undefined without /proc. */
export function peakMbOf(id) {
  if (id === undefined) return undefined;
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : (Number(kilobytes) * 1024) / 1e6;
  } catch {
    return undefined;
  }
}

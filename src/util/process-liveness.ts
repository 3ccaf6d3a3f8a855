import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

let thisProcessSpace: string | undefined;
let thisProcessId: string | undefined;

/**
 * Returns an id of the running kernel and PID namespace, within which process numbers are unique. Containers
 * have different ids even with the same host name. On systems without /proc, returns the host name.
 */
export function getProcessSpace(): string {
  thisProcessSpace ??= readProcessSpace();
  return thisProcessSpace;
}

function readProcessSpace(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return `${boot}-${readlinkSync("/proc/self/ns/pid").replaceAll(/\D/g, "")}`;
  } catch {
    return hostname().replaceAll(/[^\w.-]/g, "_");
  }
}

/** Returns an id that is unique across machines and containers: process number, start and process space. */
export function identifyThisProcess(): string {
  thisProcessId ??= `${process.pid} ${findProcessStart(process.pid)} ${getProcessSpace()}`;
  return thisProcessId;
}

/**
 * Returns true if a process has certainly ended. Returns false for a process on another machine or in another
 * container, whose end only a missing heartbeat can prove.
 * @param id as returned by `identifyThisProcess`, or `null` if an earlier version recorded none
 */
export function hasEnded(id: string | null): boolean {
  const [pid, started = "", space] = (id ?? "").split(" ");
  return space === getProcessSpace() && !isSameProcessAlive(Number(pid), started);
}

/** Returns true if a process with this number is running on this machine. The number may have been reused. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process is alive, but belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return !isZombie(pid);
}

/** Returns true if the process with this number is running and started at that time (`findProcessStart`). */
export function isSameProcessAlive(pid: number, started: string): boolean {
  return isProcessAlive(pid) && findProcessStart(pid) === started;
}

/**
 * Returns true if a different process in this process space has the number. Ignores this process, because a
 * killed process may have had the same number in a container.
 */
export function isOtherProcessAlive(pid: number): boolean {
  return pid !== process.pid && isProcessAlive(pid);
}

/** Returns a process's start in kernel ticks since boot, or '' if the system does not report it. */
export function findProcessStart(pid: number): string {
  return readStatFields(pid)[19] ?? "";
}

/**
 * Returns true if all threads have ended, but the process was not reaped. Such a process never runs again, and
 * may remain forever if its parent is the first process of a container.
 */
function isZombie(pid: number): boolean {
  const fields = readStatFields(pid);
  // The first thread may have ended while others still run.
  return fields[0] === "Z" && Number(fields[17]) <= 1;
}

/** Returns the fields of `/proc/<pid>/stat`, starting with the state; empty if unavailable. */
function readStatFields(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field, the program's name in parentheses, may contain blanks; the state is the third.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

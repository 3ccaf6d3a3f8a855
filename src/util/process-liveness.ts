import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

let ownSpace: string | undefined;
let ownId: string | undefined;

/**
 * Identifies the kernel and its PID namespace, within which process numbers are unique, even among containers
 * with the same host name. Systems without /proc fall back to the host name.
 */
export function getProcessSpace(): string {
  ownSpace ??= readProcessSpace();
  return ownSpace;
}

function readProcessSpace(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return `${boot}-${readlinkSync("/proc/self/ns/pid").replaceAll(/\D/g, "")}`;
  } catch {
    return hostname().replaceAll(/[^\w.-]/g, "_");
  }
}

/** Identifies this process across machines and containers: number, start and process space. */
export function identifyOwnProcess(): string {
  ownId ??= `${process.pid} ${findProcessStart(process.pid)} ${getProcessSpace()}`;
  return ownId;
}

/**
 * Returns true for a process that provably ended. A process of another machine or container may be alive:
 * only a missing heartbeat can show otherwise.
 * @param id as returned by `identifyOwnProcess`; earlier versions recorded none
 */
export function hasEnded(id: string | null): boolean {
  const [pid, started = "", space] = (id ?? "").split(" ");
  return space === getProcessSpace() && !isSameProcessAlive(Number(pid), started);
}

/** Returns true if a process with this number runs on this machine; the number may have been reused. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is alive, but belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return !isZombie(pid);
}

/** Returns true if the process with this number runs and started at that time (`findProcessStart`). */
export function isSameProcessAlive(pid: number, started: string): boolean {
  return isProcessAlive(pid) && findProcessStart(pid) === started;
}

/**
 * Returns true if another process has the number; in a container, a killed process may have had this one's.
 * Only processes of this process space count.
 */
export function isOtherProcessAlive(pid: number): boolean {
  return pid !== process.pid && isProcessAlive(pid);
}

/** Returns a process's start in kernel ticks since boot, or '' if the system does not report it. */
export function findProcessStart(pid: number): string {
  return readStatFields(pid)[19] ?? "";
}

/**
 * Returns true if all threads have ended, but the process was not reaped: it will never run again. If its
 * parent is the first process of a container, it may remain for good.
 */
function isZombie(pid: number): boolean {
  const fields = readStatFields(pid);
  // In a process with threads left, the first one may have ended.
  return fields[0] === "Z" && Number(fields[17]) <= 1;
}

/** Returns the kernel's fields of a process, from its state on; empty if unavailable. */
function readStatFields(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field, the program's name in parentheses, may contain blanks; the state is the third.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

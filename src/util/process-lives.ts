import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

let ownSpace: string | undefined;
let ownId: string | undefined;

/**
 * Names the kernel and its PID namespace, within which process numbers have a meaning. Two containers differ even if
 * they have the same host name. Systems without /proc fall back to the host name.
 */
export function processSpace(): string {
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

/** Identifies this process among those of all machines and containers: its number, its start and its process space. */
export function ownProcess(): string {
  ownId ??= `${process.pid} ${processStarted(process.pid)} ${processSpace()}`;
  return ownId;
}

/**
 * Returns true for a process that provably ended. A process of another machine or container may live: only a missing
 * heartbeat can show that it does not.
 * @param id as `ownProcess` returned it; earlier versions recorded none
 */
export function hasEnded(id: string | null): boolean {
  const [pid, started = "", space] = (id ?? "").split(" ");
  return space === processSpace() && !sameProcessLives(Number(pid), started);
}

/** Whether there is a process of this number on this machine; it may be another one than before. */
export function processLives(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, but belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return !isZombie(pid);
}

/** Whether the process of this number is still the one that started then, as `processStarted` told it. */
export function sameProcessLives(pid: number, started: string): boolean {
  return processLives(pid) && processStarted(pid) === started;
}

/**
 * Whether another process than this one has the number: in a container, one that was killed may have had that of this one.
 * The number has a meaning only in one process space, so a process of another container counts as ended.
 */
export function otherProcessLives(pid: number): boolean {
  return pid !== process.pid && processLives(pid);
}

/** When a process started, in the kernel's ticks since boot, or '' where the system does not tell. */
export function processStarted(pid: number): string {
  return statFields(pid)[19] ?? "";
}

/**
 * Whether all of it has ended, but its parent has not asked how: nothing of it will ever run again, and where that
 * parent is the first process of a container, it may stand there for good.
 */
function isZombie(pid: number): boolean {
  const fields = statFields(pid);
  // Of a process whose threads have not all ended, the first may have.
  return fields[0] === "Z" && Number(fields[17]) <= 1;
}

/** What the kernel says of a process, from its state on; nothing where the system does not tell. */
function statFields(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field, the program's name in parentheses, may hold blanks; the state is the third.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}
